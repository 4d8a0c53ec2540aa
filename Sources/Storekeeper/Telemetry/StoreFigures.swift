internal import PurchaseStorage
public import ReceiptModels

/// The figures that only the store and the verifier know, told now and then: what waits in the outbox, the sizes of the
/// ledgers, and when certificates end.
///
/// ```swift
/// BackgroundWork(shop, [.figures(StoreFigures(shop)), …])
/// ```
///
/// It reads a few rows. Where the context has no telemetry, it does nothing.
public struct StoreFigures: PurchaseService {
  public let context: PurchaseContext
  /// The kinds of messages that are meant to wait, because nobody delivers them; none by default.
  ///
  /// They are counted, but the moment of the oldest message is that of the others.
  public var heldKinds: Set<OutboxMessage.Kind> = []

  /// Creates figures of a context.
  public init(_ context: PurchaseContext) { self.context = context }

  /// Reads the figures, and tells the port of the context.
  ///
  /// - Throws: An error of the store.
  public func tell() async throws {
    guard let telemetry = context.telemetry else { return }
    let held = heldKinds
    let (backlog, ledger) = try await store.read { unit in
      var backlog = try await unit.outbox.backlog()
      if !held.isEmpty { backlog.oldestDate = try await unit.outbox.oldestDate(except: held) }
      return (backlog, try await unit.credits?.ledgerAudit.extent())
    }
    telemetry.noted(.backlog(backlog))
    if let ledger { telemetry.noted(.ledger(ledger)) }
    if let verifier = context.verifier {
      telemetry.noted(.end(.root, verifier.earliestRootEnd))
      telemetry.noted(.end(.intermediate, verifier.earliestIntermediateEnd))
    }
  }
}
