internal import LinkPolicy
public import PurchaseStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Renews stored subscriptions by verifying their stored receipts again.
///
/// A host calls ``run()`` on a schedule, from any number of workers and processes: rows are taken by
/// leases, so that no two have the same. While Apple is asked, no transaction is open.
///
/// Source: contract on linking, section 7.
public struct RefreshJob: Sendable {
  /// The settings; the defaults are the contract's.
  public struct Configuration: Hashable, Sendable {
    /// A subscription is due so many seconds before it expires.
    ///
    /// It is given up once it expired longer ago than `LinkOptions.autoRenewTolerance` allows.
    public var lead: TimeInterval = 3 * 86_400
    /// How many rows are leased at a time.
    public var batchSize = 50
    /// How long a lease lasts, in seconds.
    public var leaseDuration: TimeInterval = 600
    /// How many rows are refreshed at a time.
    public var concurrency = 4
    /// After a success the row rests for so many seconds.
    public var rest: TimeInterval = 6 * 3600

    /// The contract's settings.
    public init() {}
  }

  /// What keeps the data.
  public let subscriptions: SubscriptionService
  /// The settings.
  public let configuration: Configuration

  let chance: @Sendable () -> Double

  /// A worker.
  ///
  /// - Parameters:
  ///   - subscriptions: What keeps the data.
  ///   - configuration: The settings.
  ///   - chance: A random number from 0 up to 1, which spreads the pauses after failures.
  public init(
    subscriptions: SubscriptionService, configuration: Configuration = Configuration(),
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.subscriptions = subscriptions
    self.configuration = configuration
    self.chance = chance
  }

  /// Refreshes all that is due, batch after batch, and writes one row of the log.
  ///
  /// When the task is cancelled, no new row is taken, those under way end or are given back, and the
  /// row of the log is closed all the same.
  ///
  /// - Returns: The run as logged.
  /// - Throws: What the store throws. A wrong shared secret ends the run early, without an error here;
  ///   see ``ServiceIncident/refreshFailed(_:)``.
  public func run() async throws -> RefreshRun {
    let start = subscriptions.now()
    let store = subscriptions.store
    let number = try await store.write { records in
      try await records.refreshes.beginRun(now: start)
    }
    var tally = RefreshTally()
    let failure = await refreshAll(&tally)
    let run = RefreshRun(
      number: number, succeeded: tally.succeeded, failed: tally.failed, startDate: start,
      endDate: subscriptions.now())
    do {
      try await close(run)
    } catch {
      throw failure ?? error
    }
    if let failure { throw failure }
    return run
  }

  /// What ended it early, if leases could not be had.
  private func refreshAll(_ tally: inout RefreshTally) async -> (any Error)? {
    while !Task.isCancelled, !tally.mustStop {
      do {
        let leases = try await lease()
        await work(on: leases, &tally)
        guard leases.count == max(1, configuration.batchSize) else { break }
      } catch {
        return error is CancellationError ? nil : error
      }
    }
    return nil
  }

  private func lease() async throws -> [RefreshLease] {
    let moment = subscriptions.now()
    let tolerance = TimeInterval(subscriptions.options.autoRenewTolerance) * 86_400
    let request = RefreshLeaseRequest(
      now: moment, horizon: moment + configuration.lead, oldest: moment - tolerance,
      limit: max(1, configuration.batchSize), token: LeaseToken.random(),
      until: moment + configuration.leaseDuration)
    return try await subscriptions.store.write { records in
      try await records.refreshes.lease(request)
    }
  }

  /// Some at a time, until all are done; once the run has to stop, the rest is given back.
  private func work(on leases: [RefreshLease], _ tally: inout RefreshTally) async {
    await withTaskGroup(of: RefreshResult.self) { group in
      var waiting = leases[...]
      for lease in waiting.prefix(max(1, configuration.concurrency)) {
        group.addTask { await refresh(lease) }
      }
      waiting = waiting.dropFirst(max(1, configuration.concurrency))
      while let result = await group.next() {
        tally.count(result)
        guard let lease = waiting.popFirst() else { continue }
        let isStopping = tally.mustStop || Task.isCancelled
        group.addTask { isStopping ? await giveBack(lease) : await refresh(lease) }
      }
    }
  }

  /// In a task of its own, so that the row of the log is closed also after cancellation.
  private func close(_ run: RefreshRun) async throws {
    let store = subscriptions.store
    try await Task {
      try await store.write { records in
        try await records.refreshes.endRun(
          run.number, succeeded: run.succeeded, failed: run.failed,
          now: run.endDate ?? run.startDate)
      }
    }.value
  }
}

/// What became of a row.
enum RefreshResult: Sendable {
  case succeeded
  case failed
  /// Failed, and so would every other.
  case failedForAll
  case givenBack
}

/// What a run came to so far.
struct RefreshTally {
  var succeeded = 0
  var failed = 0
  var mustStop = false

  mutating func count(_ result: RefreshResult) {
    switch result {
    case .succeeded: succeeded += 1
    case .failed: failed += 1
    case .failedForAll:
      failed += 1
      mustStop = true
    case .givenBack: break
    }
  }
}
