internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The refresh job's leases and runs, in memory.
struct MemoryRefreshes: RefreshRepository {
  let unit: MemoryUnit

  func lease(_ request: RefreshLeaseRequest) throws -> [RefreshLease] {
    try StoredText.check("token", request.token, .token)
    let lease = MemoryLease(token: request.token, until: request.until.inSeconds)
    return try unit.writing { tables in
      tables.due(request).map { subscription in
        let id = subscription.originalTransactionID
        var poll = tables.polls[RowKey(id)] ?? MemoryTables.Poll()
        poll.lease = lease
        tables.polls[RowKey(id)] = poll
        return RefreshLease(
          originalTransactionID: id, environment: subscription.environment,
          failures: poll.failures, token: request.token,
          untoldEnd: subscription.autoRenewal ? nil : subscription.expiresDate)
      }
    }
  }

  func finish(
    _ lease: RefreshLease, failures: Int, nextTry: Date, error: String?
  ) throws -> Bool {
    try StoredText.check("error", error, .other)
    return try unit.writing { tables in
      tables.polls.end(lease.token, of: RowKey(lease.originalTransactionID)) { poll in
        poll.failures = failures
        poll.nextTry = nextTry.inSeconds
        poll.lastError = error
      }
    }
  }

  func giveBack(_ lease: RefreshLease) throws {
    try unit.writing { _ = $0.polls.end(lease.token, of: RowKey(lease.originalTransactionID)) }
  }

  func beginRun(now: Date) throws -> Int {
    try unit.writing { tables in
      try tables.runs.append {
        RefreshRun(number: $0, succeeded: 0, failed: 0, startDate: now.inSeconds, endDate: nil)
      }.number
    }
  }

  func endRun(_ number: Int, succeeded: Int, failed: Int, now: Date) throws {
    try unit.writing { tables in
      guard var run = tables.runs[number] else { return }
      run.succeeded = succeeded
      run.failed = failed
      run.endDate = now.inSeconds
      tables.runs[number] = run
    }
  }

  func runs(limit: Int) throws -> [RefreshRun] {
    try unit.reading { tables in
      tables.runs.keys.suffix(max(0, limit)).reversed().compactMap { tables.runs[$0] }
    }
  }
}

extension MemoryTables {
  /// Returns the subscriptions that are due and not leased; those that end at one moment stay in the order
  /// of their ids.
  fileprivate func due(_ request: RefreshLeaseRequest) -> [Subscription] {
    let due = subscriptions.page { isDue($0.subscription, request) }.map(\.subscription)
      .sorted { $0.expiresDate < $1.expiresDate }
    return Array(due.prefix(max(0, request.limit)))
  }

  private func isDue(_ subscription: Subscription, _ request: RefreshLeaseRequest) -> Bool {
    (subscription.autoRenewal || hasUntoldRenewal(subscription))
      && subscription.expiresDate >= request.oldest
      && (subscription.expiresDate <= request.horizon || isInBillingRetry(subscription))
      && polls[RowKey(subscription.originalTransactionID)].map { poll in
        poll.isFree(at: request.now) && poll.nextTry.map { $0 <= request.now } ?? true
      } ?? true
  }

  /// Whether no entry about the renewal was ever recorded.
  func hasUntoldRenewal(_ subscription: Subscription) -> Bool {
    renewals[RowKey(subscription.environment, subscription.originalTransactionID)] == nil
  }

  private func isInBillingRetry(_ subscription: Subscription) -> Bool {
    let key = RowKey(subscription.environment, subscription.originalTransactionID)
    return subscription.autoRenewal
      && renewals[key]?.entries.contains { $0.isInBillingRetry } ?? false
  }
}
