internal import JWSVerifier
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

  /// Why a message was not delivered, where the handler did not say so.
  public enum Failure: Error, Hashable, Sendable {
    /// The handler took longer than ``OutboxDelivery/handlerLimit``.
    case timeUp
  }

  /// How many messages a worker takes at a time.
  public var batchSize = 100
  /// How long it may take over them, in seconds; after that others may deliver them too.
  public var leaseDuration: TimeInterval = 300

  /// How long the handler may take over a message, in seconds; at most half of ``leaseDuration``, which
  /// is the limit where this is more.
  ///
  /// After that its task is cancelled, the message counts as failed, and nobody waits any more for a
  /// handler that goes on all the same.
  public var handlerLimit: TimeInterval = 60

  /// How long a message is kept after it was sent, in seconds; 30 days.
  public var retention: TimeInterval = 30 * 86_400

  let store: any PurchaseStore<any PurchaseRecords>
  let handler: any OutboxHandler
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  let report: @Sendable (ServiceIncident) -> Void

  /// Creates a worker.
  ///
  /// - Parameters:
  ///   - store: The store with the outbox.
  ///   - handler: The host's delivery.
  ///   - clock: Measures ``handlerLimit``.
  ///   - now: The time of day.
  ///   - report: Receives failures; for logs.
  public init<Store: PurchaseStore>(
    store: Store, handler: any OutboxHandler, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = { _ in }
  ) where Store.Records: PurchaseRecords {
    self.init(
      store: store.narrowed { $0 }, handler: handler, clock: clock, now: now, report: report)
  }

  /// Creates a worker on a store of exactly the records that it uses.
  ///
  /// - Parameters:
  ///   - store: Where the outbox is.
  ///   - handler: The host's way to tell.
  ///   - clock: What measures ``handlerLimit``.
  ///   - now: The time of day.
  ///   - report: What to do with failures; for logs.
  public init(
    store: any PurchaseStore<any PurchaseRecords>, handler: any OutboxHandler,
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = { _ in }
  ) {
    self.store = store
    self.handler = handler
    self.clock = clock
    self.now = now
    self.report = report
  }

  /// Delivers all that is due, oldest first, and removes what was sent long ago.
  ///
  /// When the task is cancelled, no message is begun any more. The one under way ends, within
  /// ``handlerLimit``, and is marked as what became of it; the others are free at once. So are those
  /// that were not begun while there was time enough until the end of their lease.
  ///
  /// - Returns: What it came to.
  /// - Throws: What the store throws; `CancellationError` if the handler does.
  public func deliverDue() async throws -> Report {
    var report = Report()
    while !Task.isCancelled {
      let end = now() + leaseDuration
      let leases = try await lease(until: end)
      try await deliver(leases, until: end, &report)
      guard leases.count == max(1, batchSize), now() < end else { break }
    }
    try await removeOld()
    return report
  }

  /// The limit in force.
  private var limit: TimeInterval { min(handlerLimit, leaseDuration / 2) }

  private func lease(until end: Date) async throws -> [OutboxLease] {
    let (moment, token, limit) = (now(), LeaseToken.random(), max(1, batchSize))
    return try await store.write { records in
      try await records.outbox.lease(limit: limit, now: moment, until: end, token: token)
    }
  }

  /// One after the other; what is not begun is given back, however this ends.
  private func deliver(
    _ leases: [OutboxLease], until end: Date, _ report: inout Report
  ) async throws {
    // A handler that hangs is to be given up before others may have the message.
    let last = end - limit
    var waiting = leases[...]
    do {
      while !Task.isCancelled, now() <= last, let lease = waiting.popFirst() {
        try await deliver(lease, &report)
      }
    } catch {
      await giveBack(waiting)
      throw error
    }
    await giveBack(waiting)
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
      try await hand(over: lease)
    } catch let cancellation as CancellationError where Task.isCancelled {
      await giveBack([lease])
      throw cancellation
    } catch {
      report(.deliveryFailed(error))
      result.failed += 1
      let next = now() + BackOff.outbox.pause(afterFailures: lease.failures + 1, chance: 0.5)
      return try await writing { records in
        _ = try await records.outbox.markFailed(lease, nextTry: next)
      }
    }
    result.delivered += 1
    let moment = now()
    try await writing { records in _ = try await records.outbox.markSent(lease, now: moment) }
  }

  /// Waits for the handler, also when the task is cancelled, which the handler learns; but not longer
  /// than it may take.
  private func hand(over lease: OutboxLease) async throws {
    // None of these is a child, which would be awaited also when its time is up.
    let handler = handler
    let work = Task { try await handler.deliver(lease.message, number: lease.number) }
    let (clock, limit) = (clock, Duration.seconds(limit))
    let waited = await withTaskCancellationHandler {
      await Task { await clock.wait(atMost: limit) { await work.result } }.value
    } onCancel: {
      work.cancel()
    }
    switch waited {
    case .value(let result): try result.get()
    case .timeUp, .cancelled:
      work.cancel()
      throw Failure.timeUp
    }
  }

  /// A lease that cannot be given back now ends by itself.
  private func giveBack(_ leases: ArraySlice<OutboxLease>) async {
    guard !leases.isEmpty else { return }
    do {
      try await writing { records in
        for lease in leases { try await records.outbox.giveBack(lease) }
      }
    } catch {
      report(.deliveryFailed(error))
    }
  }

  /// In a task of its own, so that it is done also after cancellation.
  private func writing(
    _ body: nonisolated(nonsending) @escaping @Sendable (any PurchaseRecords) async throws -> Void
  ) async throws {
    let store = store
    try await Task { try await store.write(body) }.value
  }
}
