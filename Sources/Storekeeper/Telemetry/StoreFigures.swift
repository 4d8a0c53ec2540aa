internal import PurchaseStorage

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

  /// Creates figures of a context.
  public init(_ context: PurchaseContext) { self.context = context }

  /// Reads the figures, and tells the port of the context.
  ///
  /// - Throws: An error of the store.
  public func tell() async throws {
    guard let telemetry = context.telemetry else { return }
    let (backlog, ledger) = try await store.read { unit in
      (try await unit.outbox.backlog(), try await unit.credits?.ledgerAudit.extent())
    }
    telemetry.noted(.backlog(backlog))
    if let ledger { telemetry.noted(.ledger(ledger)) }
    if let verifier = context.verifier {
      telemetry.noted(.end(.root, verifier.earliestRootEnd))
      telemetry.noted(.end(.intermediate, verifier.earliestIntermediateEnd))
    }
  }
}
