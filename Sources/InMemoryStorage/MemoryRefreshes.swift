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
    return try unit.writing { tables in
      tables.due(request).map { subscription in
        let id = subscription.originalTransactionID
        tables.polls[id, default: MemoryTables.PollState()].lease = MemoryLease(
          token: request.token, until: StoredMoment.inSeconds(request.until))
        return RefreshLease(
          originalTransactionID: id, environment: subscription.environment,
          failures: tables.polls[id]?.failures ?? 0, token: request.token,
          untoldEnd: subscription.autoRenewal ? nil : subscription.expiresDate)
      }
    }
  }

  func finish(
    _ lease: RefreshLease, failures: Int, nextTry: Date, error: String?
  ) throws -> Bool {
    try StoredText.check("error", error, .other)
    return try change(lease) { state in
      state.failures = failures
      state.nextTry = StoredMoment.inSeconds(nextTry)
      state.lastError = error
    }
  }

  func giveBack(_ lease: RefreshLease) throws {
    _ = try change(lease) { _ in }
  }

  func beginRun(now: Date) throws -> Int {
    try unit.writing { tables in
      let number = tables.runs.count + 1
      tables.runs.append(
        RefreshRun(
          number: number, succeeded: 0, failed: 0, startDate: StoredMoment.inSeconds(now),
          endDate: nil))
      return number
    }
  }

  func endRun(_ number: Int, succeeded: Int, failed: Int, now: Date) throws {
    try unit.writing { tables in
      guard tables.runs.indices.contains(number - 1) else { return }
      tables.runs[number - 1].succeeded = succeeded
      tables.runs[number - 1].failed = failed
      tables.runs[number - 1].endDate = StoredMoment.inSeconds(now)
    }
  }

  func runs(limit: Int) throws -> [RefreshRun] {
    try unit.reading { Array($0.runs.reversed().prefix(max(0, limit))) }
  }

  /// Ends a lease and changes the state, if this token still holds the lease.
  private func change(
    _ lease: RefreshLease, _ change: (inout MemoryTables.PollState) -> Void
  ) throws -> Bool {
    try unit.writing { tables in
      guard var state = tables.polls[lease.originalTransactionID],
        state.lease?.token == lease.token
      else { return false }
      state.lease = nil
      change(&state)
      tables.polls[lease.originalTransactionID] = state
      return true
    }
  }
}

extension MemoryTables {
  /// The subscriptions that are due and not leased.
  fileprivate func due(_ request: RefreshLeaseRequest) -> [Subscription] {
    let due = subscriptions.values.map(\.subscription)
      .filter { isDue($0, request) && isFree($0, at: request.now) }
      .sorted { one, other in
        one.expiresDate == other.expiresDate
          ? one.originalTransactionID.isBefore(other.originalTransactionID)
          : one.expiresDate < other.expiresDate
      }
    return Array(due.prefix(max(0, request.limit)))
  }

  private func isDue(_ subscription: Subscription, _ request: RefreshLeaseRequest) -> Bool {
    (subscription.autoRenewal || hasUntoldRenewal(subscription))
      && subscription.expiresDate >= request.oldest
      && (subscription.expiresDate <= request.horizon || isInBillingRetry(subscription))
  }

  /// Whether no entry about the renewal was ever recorded.
  func hasUntoldRenewal(_ subscription: Subscription) -> Bool {
    let key = Key(
      environment: subscription.environment, id: subscription.originalTransactionID)
    return renewals[key] == nil
  }

  private func isInBillingRetry(_ subscription: Subscription) -> Bool {
    guard subscription.autoRenewal else { return false }
    let key = Key(
      environment: subscription.environment, id: subscription.originalTransactionID)
    return renewals[key]?.contains { $0.isInBillingRetry } ?? false
  }

  private func isFree(_ subscription: Subscription, at now: Date) -> Bool {
    guard let state = polls[subscription.originalTransactionID] else { return true }
    if let lease = state.lease, lease.isLive(at: now) { return false }
    return state.nextTry.map { $0 <= now } ?? true
  }
}
