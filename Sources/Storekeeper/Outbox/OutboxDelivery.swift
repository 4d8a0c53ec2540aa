internal import JSONValues
public import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A worker that delivers the messages of the outbox, each at least once.
///
/// ```swift
/// let delivery = OutboxDelivery(
///   store: store,
///   handlers: [mailer, AcknowledgementDelivery(play, store: store), events])
/// ```
///
/// Call ``deliverDue()`` often, from any number of workers. A message is leased, passed to the
/// handler of its kind (``OutboxHandler/kinds``) and marked as sent before the next one is begun. A failed message is retried with an
/// increasing back-off, the sooner the nearer its deadline is, unless the handler's error is an ``OutboxFailure`` that says otherwise: then it
/// may also be postponed or parked
/// (``/PurchaseStorage/OutboxRepository/parked(after:limit:)``,
/// ``/PurchaseStorage/OutboxRepository/sendAgain(_:)``).
public struct OutboxDelivery: Sendable {
  /// The result of a call.
  public struct Report: Hashable, Sendable {
    public var delivered = 0
    /// The number of messages that failed and will be retried.
    public var failed = 0
    /// The number of messages that could not be tried, and will be later.
    public var postponed = 0
    public var parked = 0
    /// The number of those that were postponed of which the host is not told.
    var quietlyPostponed = 0

    /// Creates a report.
    public init(delivered: Int = 0, failed: Int = 0, postponed: Int = 0, parked: Int = 0) {
      self.delivered = delivered
      self.failed = failed
      self.postponed = postponed
      self.parked = parked
    }

    mutating func add(_ other: Report) {
      delivered += other.delivered
      failed += other.failed
      postponed += other.postponed
      parked += other.parked
      quietlyPostponed += other.quietlyPostponed
    }
  }

  /// The reason for a failed delivery, other than an error of the handler.
  @nonexhaustive
  public enum Failure: Error, Hashable, Sendable {
    /// The handler took longer than ``OutboxDelivery/handlerLimit``.
    case timeUp
  }

  /// The number of messages leased at a time.
  public var batchSize = 100
  /// The duration of a lease; other workers may deliver the messages after that.
  public var leaseDuration = Duration.seconds(300)

  /// The maximum time that the handler may spend on one message.
  ///
  /// The limit is half of ``leaseDuration`` if this value is greater. At the limit the handler's
  /// task is cancelled and the message counts as failed, whether or not the handler returns.
  public var handlerLimit = Duration.seconds(150)

  /// The time for which a sent message is kept; 30 days by default.
  public var retention = Duration.days(30)

  /// The port that is told of each delivery; nil, as by default, to tell nobody.
  public var telemetry: (any Telemetry)?

  /// The line that is delivered; nil for all that is in none.
  var line: Line?

  let store: any PurchaseStore
  let handlers: OutboxHandlers
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  let report: @Sendable (ServiceIncident) -> Void

  /// Creates a worker.
  ///
  /// A message goes to the first handler that names its kind, otherwise to the first that names none. Without either
  /// it counts as delivered, which each call reports once for each kind (``ServiceIncident/messagesNotTaken(_:)``).
  /// The clock measures ``handlerLimit``.
  public init(
    store: any PurchaseStore, handlers: [any OutboxHandler],
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) {
    self.store = store
    self.handlers = OutboxHandlers(handlers: handlers)
    self.clock = clock
    self.now = now
    self.report = report
  }

  /// Creates a worker with one handler.
  public init(
    store: any PurchaseStore, handler: any OutboxHandler,
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    report: @escaping @Sendable (ServiceIncident) -> Void = ServiceIncident.toStandardError
  ) {
    self.init(store: store, handlers: [handler], clock: clock, now: now, report: report)
  }

  /// Delivers all messages that are due, oldest first, and removes sent messages that are older than ``retention``.
  ///
  /// When the task is cancelled, no further message is started. The current delivery ends within ``handlerLimit`` and
  /// its result is recorded; the other leases are given back at once. A message is also given back if too little time
  /// is left in its lease to start it.
  ///
  /// - Throws: An error of the store, or `CancellationError` if the task is cancelled and the handler throws it.
  public func deliverDue() async throws -> Report {
    var report = Report()
    if let line {
      try await deliverDue(in: line, &report)
      if report.delivered > 0 { try await removeOld() }
      return report
    }
    var kindsNotTaken: Set<OutboxMessage.Kind> = []
    while !Task.isCancelled {
      let end = now() + leaseDuration.timeInterval
      let leases = try await lease(until: end)
      for kind in leases.lazy.map(\.message.kind)
      where handlers.handler(of: kind) == nil && kindsNotTaken.insert(kind).inserted {
        self.report(.messagesNotTaken(kind))
      }
      try await deliverInTurn(leases, until: end, &report)
      guard leases.count == max(1, batchSize), now() < end else { break }
    }
    try await removeOld()
    return report
  }

  private var limit: Duration { min(handlerLimit, leaseDuration / 2) }

  func lease(until end: Date) async throws -> [OutboxLease] {
    let (moment, token, limit) = (now(), LeaseToken.random(), max(1, batchSize))
    let held = handlers.heldKinds
    if let line {
      return try await store.write { records in
        // One worker at a time leases, so that none overtakes what another is about to take.
        let reader = try await records.events.hold(line.reader)
        guard !reader.holdsBack(at: moment) else { return [] }
        return try await records.outbox.lease(
          line: line.kind, limit: limit, now: moment, until: end, token: token)
      }
    }
    return try await store.write { records in
      try await records.outbox.lease(
        limit: limit, except: held, now: moment, until: end, token: token)
    }
  }

  /// Delivers messages one after the other, and gives back the leases of those that were not
  /// started, even after an error.
  ///
  /// In a line nothing is started after one that was not delivered.
  func deliverInTurn(
    _ leases: [OutboxLease], until end: Date, _ report: inout Report
  ) async throws {
    // A handler that hangs must reach its limit before another worker may lease the message.
    let last = end - limit.timeInterval
    var waiting = leases[...]
    do {
      while !Task.isCancelled, now() <= last, let lease = waiting.popFirst() {
        let delivered = report.delivered
        try await deliver(lease, &report)
        guard let line else { continue }
        guard delivered < report.delivered else { break }
        if lease.failures > 0 { line.wantHaste() }
      }
    } catch {
      await giveBack(waiting)
      throw error
    }
    await giveBack(waiting)
  }

  /// Removes old messages: ten times the size of a batch, so that removal keeps up with delivery.
  private func removeOld() async throws {
    guard !Task.isCancelled else { return }
    let (oldest, limit) = (now() - retention.timeInterval, max(1, batchSize) * 10)
    _ = try await store.write { records in
      try await records.outbox.removeSent(before: oldest, limit: limit)
    }
  }

  private func deliver(_ lease: OutboxLease, _ result: inout Report) async throws {
    do {
      try await watchedHand(over: lease)
    } catch let cancellation as CancellationError where Task.isCancelled {
      await giveBack([lease])
      throw cancellation
    } catch {
      return try await settle(lease, error, &result)
    }
    result.delivered += 1
    let moment = now()
    try await store.writeDespiteCancellation { records in
      _ = try await records.outbox.markSent(lease, now: moment)
    }
  }

  /// Writes what is to become of a message that was not delivered.
  private func settle(
    _ lease: OutboxLease, _ error: any Error, _ result: inout Report
  ) async throws {
    let moment = now()
    switch disposition(after: error, of: lease, at: moment) {
    case .retry:
      let pause = BackOff.outbox(before: lease.message.deadline, from: moment)
        .pause(after: lease.failures + 1, chance: 0)
      try await fail(lease, error, nextTry: moment + pause.timeInterval, at: moment, &result)
    case .retryAfter(let pause):
      try await fail(lease, error, nextTry: moment + pause.timeInterval, at: moment, &result)
    case .postpone(let pause):
      // One report for all, as many may wait for the same thing.
      if (error as? any OutboxFailure)?.isReported ?? true {
        if result.postponed == result.quietlyPostponed { tell(error, of: lease) }
      } else {
        result.quietlyPostponed += 1
      }
      result.postponed += 1
      let end = moment + pause.timeInterval
      let scheduled = lease.tryAhead(of: moment)
      try await store.writeDespiteCancellation { records in
        _ = try await records.outbox.postpone(lease, until: max(end, scheduled ?? end))
      }
    case .park(let reason):
      report(.messageParked(reason, number: lease.number))
      result.parked += 1
      try await store.writeDespiteCancellation { records in
        _ = try await records.outbox.park(lease, reason: reason, now: moment)
      }
    }
  }

  /// Counts a failure, unless the attempt was one in between, whose message keeps its schedule.
  private func fail(
    _ lease: OutboxLease, _ error: any Error, nextTry: Date, at moment: Date,
    _ result: inout Report
  ) async throws {
    tell(error, of: lease)
    result.failed += 1
    try await store.writeDespiteCancellation { records in
      if let scheduled = lease.tryAhead(of: moment) {
        _ = try await records.outbox.postpone(lease, until: scheduled)
      } else {
        _ = try await records.outbox.markFailed(lease, nextTry: nextTry)
      }
    }
  }

  private func tell(_ error: any Error, of lease: OutboxLease) {
    report(.deliveryFailed(error, of: lease.message.kind, number: lease.number))
  }

  /// Returns the further fate of a message after an error; a reason that cannot be stored has it tried again.
  ///
  /// A handler's schedule is not asked about an attempt in between, as that is no step of it.
  private func disposition(
    after error: any Error, of lease: OutboxLease, at moment: Date
  ) -> OutboxDisposition {
    let isInBetween = lease.tryAhead(of: moment) != nil
    let told =
      isInBetween
      ? nil
      : handlers.handler(of: lease.message.kind)?
        .disposition(after: error, failures: lease.failures + 1)
    guard let disposition = told ?? (error as? any OutboxFailure)?.disposition else {
      return .retry
    }
    if case .park(let reason) = disposition {
      do throws(StorageFailure) { try reason.checkTexts() } catch { return .retry }
    }
    return disposition
  }

  private func watchedHand(over lease: OutboxLease) async throws {
    guard let telemetry else { return try await hand(over: lease) }
    try await telemetry.watching(.delivery(lease.message.kind)) {
      try await hand(over: lease)
    } of: {
      TelemetryVerdict(disposition(after: $0, of: lease, at: now()))
    }
  }

  /// Passes a message to the handler of its kind and waits for it, at most for its limit.
  ///
  /// Cancellation is passed on to the handler, which may still finish its work.
  private func hand(over lease: OutboxLease) async throws {
    guard let handler = handlers.handler(of: lease.message.kind) else { return }
    // Not child tasks: those would be awaited even after the limit.
    let work = Task { try await handler.deliver(lease.message, number: lease.number) }
    let (clock, limit) = (clock, limit)
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

  /// Gives leases back.
  ///
  /// An error is only reported, because the leases expire anyway.
  func giveBack(_ leases: ArraySlice<OutboxLease>) async {
    guard !leases.isEmpty else { return }
    do {
      try await store.writeDespiteCancellation { records in
        for lease in leases { try await records.outbox.giveBack(lease) }
      }
    } catch {
      report(.deliveryFailed(error))
    }
  }
}

extension TelemetryVerdict {
  fileprivate init(_ disposition: OutboxDisposition) {
    switch disposition {
    case .retry, .retryAfter: self.init(.failed)
    case .postpone: self.init(.postponed)
    case .park(let reason): self.init(.parked, reason.cause.rawValue)
    }
  }
}

extension OutboxLease {
  /// The next try of a message that was leased before it, in between; nil for one whose time has come.
  fileprivate func tryAhead(of now: Date) -> Date? {
    nextTry.flatMap { now < $0 ? $0 : nil }
  }
}
