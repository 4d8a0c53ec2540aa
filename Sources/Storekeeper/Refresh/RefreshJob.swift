internal import JSONValues
internal import LinkPolicy
public import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A job that refreshes stored subscriptions that expire soon or have expired recently.
///
/// The host calls ``run()`` on a schedule, from any number of workers and processes. Rows are leased, so no two
/// workers refresh the same row at the same time. No transaction is open while Apple is asked. Source: linking rules,
/// section 7.
public struct RefreshJob: Sendable {
  /// The settings; the defaults are those of the linking rules.
  public struct Configuration: Hashable, Sendable {
    /// The time before its expiry from which a subscription is due.
    ///
    /// A subscription is no longer due when the tolerance after its expiry is over
    /// (`LinkOptions.autoRenewTolerance`).
    public var lead = Duration.days(3)
    /// The number of rows leased at a time.
    public var batchSize = 50
    public var leaseDuration = Duration.seconds(600)
    /// The maximum number of rows refreshed at the same time.
    public var concurrency = 4
    /// The minimum time between a success and the next refresh of the row.
    public var rest = Duration.seconds(6 * 3600)

    /// Creates the default settings.
    public init() {}
  }

  public let subscriptions: SubscriptionService
  public let configuration: Configuration

  let chance: @Sendable () -> Double

  /// Creates a worker; `chance` returns a random number from 0 up to 1, which spreads the pauses after failures.
  public init(
    subscriptions: SubscriptionService, configuration: Configuration = Configuration(),
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.subscriptions = subscriptions
    self.configuration = configuration
    self.chance = chance
  }

  /// Refreshes all rows that are due, batch by batch, and writes one row of the log, which it returns.
  ///
  /// When the task is cancelled, no further row is leased, the current ones end or are given back, and the row of the
  /// log is still completed.
  ///
  /// A wrong shared secret (``ServiceIncident/refreshFailed(_:)``) ends the questions about stored receipts for this
  /// run. Rows about which no other source can be asked are given back, and the others go on.
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

  /// Refreshes all rows that are due, and returns the error that prevented a lease, if any.
  private func refreshAll(_ tally: inout RefreshTally) async -> (any Error)? {
    let round = SourceRound(
      subscriptions.sources, stoppingAt: .wrongSecrets, report: subscriptions.report)
    var failure: (any Error)?
    while !Task.isCancelled, !round.isOver {
      do {
        let leases = try await lease()
        // Where a run lasts longer than a lease, a row that was withheld comes again.
        let isNew = leases.contains { tally.withheld[$0.originalTransactionID] == nil }
        await work(on: leases, in: round, &tally)
        guard isNew, leases.count == max(1, configuration.batchSize) else { break }
      } catch {
        failure = error is CancellationError ? nil : error
        break
      }
    }
    // Only now: given back before, they would be leased again at once.
    for lease in tally.withheld.values { _ = await giveBack(lease) }
    return failure
  }

  private func lease() async throws -> [RefreshLease] {
    let moment = subscriptions.now()
    let tolerance = Double(subscriptions.options.autoRenewTolerance.wholeDays) * 86_400
    let request = RefreshLeaseRequest(
      now: moment, horizon: moment + configuration.lead.timeInterval, oldest: moment - tolerance,
      limit: max(1, configuration.batchSize), token: LeaseToken.random(),
      until: moment + configuration.leaseDuration.timeInterval)
    return try await subscriptions.store.write { records in
      try await records.refreshes.lease(request)
    }
  }

  /// Refreshes leased rows, up to `concurrency` at the same time; once all sources are down or the task is
  /// cancelled, the remaining leases are given back.
  private func work(
    on leases: [RefreshLease], in round: SourceRound, _ tally: inout RefreshTally
  ) async {
    await withTaskGroup(of: RefreshResult.self) { group in
      var waiting = leases[...]
      for lease in waiting.prefix(max(1, configuration.concurrency)) {
        group.addTask { await refresh(lease, in: round) }
      }
      waiting = waiting.dropFirst(max(1, configuration.concurrency))
      while let result = await group.next() {
        tally.count(result)
        guard let lease = waiting.popFirst() else { continue }
        let isStopping = round.isOver || Task.isCancelled
        group.addTask {
          isStopping ? await giveBack(lease) : await refresh(lease, in: round)
        }
      }
    }
  }

  /// Completes the row of the log, also where the task was cancelled.
  private func close(_ run: RefreshRun) async throws {
    try await subscriptions.store.writeDespiteCancellation { records in
      try await records.refreshes.endRun(
        run.number, succeeded: run.succeeded, failed: run.failed,
        now: run.endDate ?? run.startDate)
    }
  }
}

enum RefreshResult: Sendable {
  case succeeded
  case failed
  case givenBack
  /// Nobody was asked, as all sources that might have answered are down; the row is still leased.
  case withheld(RefreshLease)
}

struct RefreshTally {
  var succeeded = 0
  var failed = 0
  /// The rows about which nobody was asked, by their identifiers.
  var withheld: [String: RefreshLease] = [:]

  mutating func count(_ result: RefreshResult) {
    switch result {
    case .succeeded: succeeded += 1
    case .failed: failed += 1
    case .givenBack: break
    case .withheld(let lease): withheld[lease.originalTransactionID] = lease
    }
  }
}
