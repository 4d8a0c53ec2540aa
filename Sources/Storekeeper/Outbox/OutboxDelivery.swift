public import PurchaseStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Delivers what is in the outbox, each message at least once; call it often, from any number of
/// workers.
///
/// A message is leased, handed to the handler, and marked as sent. What fails is tried again later,
/// less and less often.
public struct OutboxDelivery: Sendable {
  /// What a batch came to.
  public struct Report: Hashable, Sendable {
    /// How many messages were delivered.
    public var delivered = 0
    /// How many failed, and will be tried again.
    public var failed = 0

    /// A report.
    public init(delivered: Int = 0, failed: Int = 0) {
      self.delivered = delivered
      self.failed = failed
    }
  }

  /// How many messages a worker takes at a time.
  public var batchSize = 100
  /// How long it may take over them, in seconds; after that others may deliver them too.
  public var leaseDuration: TimeInterval = 300

  /// How long a message is kept after it was sent, in seconds; 30 days.
  public var retention: TimeInterval = 30 * 86_400

  let store: any PurchaseStore
  let handler: any OutboxHandler
  let now: @Sendable () -> Date
  let report: @Sendable (ServiceIncident) -> Void

  /// A worker.
  ///
  /// - Parameters:
  ///   - store: Where the outbox is.
  ///   - handler: The host's way to tell.
  ///   - now: The time of day.
  ///   - report: What to do with failures; for logs.
  public init(
    store: any PurchaseStore, handler: any OutboxHandler,
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = { _ in }
  ) {
    self.store = store
    self.handler = handler
    self.now = now
    self.report = report
  }

  /// Delivers all that is due, oldest first, and removes what was sent long ago.
  ///
  /// Ends early when the task is cancelled; what was leased then is delivered once the lease is over.
  /// So is what was leased and not begun when the time of the lease was up.
  ///
  /// - Returns: What it came to.
  /// - Throws: What the store throws; `CancellationError` if the handler does.
  public func deliverDue() async throws -> Report {
    var report = Report()
    while !Task.isCancelled {
      let end = now() + leaseDuration
      let leases = try await lease(until: end)
      for lease in leases where !Task.isCancelled && now() < end {
        try await deliver(lease, &report)
      }
      guard leases.count == max(1, batchSize), now() < end else { break }
    }
    try await removeOld()
    return report
  }

  private func lease(until end: Date) async throws -> [OutboxLease] {
    let (moment, token, limit) = (now(), LeaseToken.random(), max(1, batchSize))
    return try await store.write { records in
      try await records.outbox.lease(limit: limit, now: moment, until: end, token: token)
    }
  }

  /// A batch at each call, which is more than arrives between two.
  private func removeOld() async throws {
    guard !Task.isCancelled else { return }
    let (oldest, limit) = (now() - retention, max(1, batchSize) * 10)
    _ = try await store.write { records in
      try await records.outbox.removeSent(before: oldest, limit: limit)
    }
  }

  private func deliver(_ lease: OutboxLease, _ result: inout Report) async throws {
    do {
      try await handler.deliver(lease.message, number: lease.number)
    } catch let cancellation as CancellationError where Task.isCancelled {
      throw cancellation
    } catch {
      report(.deliveryFailed(error))
      result.failed += 1
      let next = now() + BackOff.outbox.pause(afterFailures: lease.failures + 1, chance: 0.5)
      _ = try await store.write { records in
        try await records.outbox.markFailed(lease, nextTry: next)
      }
      return
    }
    result.delivered += 1
    let moment = now()
    _ = try await store.write { records in
      try await records.outbox.markSent(lease, now: moment)
    }
  }
}
