internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: SubscriptionRepository {
  func find(_ originalTransactionIDs: [String]) throws -> [StoredSubscription] {
    let tables = try tables
    return tables.subscriptions.rows(at: originalTransactionIDs.map { RowKey($0) })
      .map(tables.withUse)
  }

  func save(_ subscription: Subscription, asOf: Date, now: Date) throws {
    let row = StoredSubscription(subscription: subscription, asOf: asOf).stored
    try writing { tables in
      let stored = tables.subscriptions[row.rowKey]
      if let stored = stored?.subscription, tables.hasUntoldRenewal(stored),
        stored.expiresDate != row.subscription.expiresDate
      {
        tables.polls[row.rowKey]?.nextTry = nil
      }
      tables.subscriptions.save(
        StoredSubscription(
          subscription: row.subscription.merged(into: stored?.subscription, now: now.inSeconds),
          asOf: max(row.asOf, stored?.asOf ?? .distantPast)))
    }
  }

  func setOwner(_ owner: AccountID?, of originalTransactionID: String, now: Date) throws {
    try writing { tables in
      let key = RowKey(originalTransactionID)
      _ = tables.subscriptions.change(key, where: { $0.subscription.owner != owner }) {
        $0.subscription.owner = owner
        $0.subscription.updatedDate = now.inSeconds
      }
    }
  }

  func list(owner: AccountID, offset: Int, limit: Int) throws -> SubscriptionPage {
    let tables = try tables
    // Sorting is stable: those that expire at one moment stay in the order of their ids.
    let owned = tables.subscriptions.page(by: IndexKey(.account, RowKey(owner)))
      .sorted { $0.subscription.expiresDate > $1.subscription.expiresDate }
    let page = owned.dropFirst(max(0, offset)).prefix(max(0, limit))
    return SubscriptionPage(
      total: owned.count, subscriptions: page.map { tables.withUse($0).subscription })
  }

  func list(after id: String?, limit: Int) throws -> [ReceiptCursor] {
    try tables.subscriptions.page().map(\.subscription)
      .filter { row in id.map { RowKey($0) < RowKey(row.originalTransactionID) } ?? true }
      .sorted { RowKey($0.originalTransactionID) < RowKey($1.originalTransactionID) }
      .prefix(max(0, limit))
      .map {
        ReceiptCursor(
          originalTransactionID: $0.originalTransactionID, environment: $0.environment)
      }
  }
}

extension MemoryUnit: RefreshRepository {
  func lease(_ request: RefreshLeaseRequest) throws -> [RefreshLease] {
    try writing { tables in
      tables.due(request).map { subscription in
        let key = RowKey(subscription.originalTransactionID)
        var poll = tables.polls[key] ?? Leased(nil)
        poll.lease(to: request.token, until: request.until.inSeconds)
        tables.polls[key] = poll
        return RefreshLease(
          originalTransactionID: subscription.originalTransactionID,
          environment: subscription.environment, failures: poll.failures, token: request.token,
          untoldEnd: subscription.autoRenewal ? nil : subscription.expiresDate)
      }
    }
  }

  func finish(_ lease: RefreshLease, failures: Int, nextTry: Date, error: String?) throws -> Bool {
    try writing { tables in
      tables.polls.end(lease.token, of: RowKey(lease.originalTransactionID)) { poll in
        poll.failures = failures
        poll.nextTry = nextTry.inSeconds
        poll.value = error
      }
    }
  }

  func giveBack(_ lease: RefreshLease) throws {
    try writing { _ = $0.polls.end(lease.token, of: RowKey(lease.originalTransactionID)) }
  }

  func beginRun(now: Date) throws -> Int {
    try writing { tables in
      try tables.runs.append {
        RefreshRun(number: $0, succeeded: 0, failed: 0, startDate: now.inSeconds, endDate: nil)
      }.number
    }
  }

  func endRun(_ number: Int, succeeded: Int, failed: Int, now: Date) throws {
    try writing { tables in
      _ = tables.runs.change(number) {
        $0.succeeded = succeeded
        $0.failed = failed
        $0.endDate = now.inSeconds
      }
    }
  }

  func runs(limit: Int) throws -> [RefreshRun] {
    let runs = try tables.runs
    return runs.rows(at: runs.keys.suffix(max(0, limit))).reversed()
  }
}

extension MemoryTables {
  /// Returns a stored subscription with `isInUse`.
  fileprivate func withUse(_ stored: StoredSubscription) -> StoredSubscription {
    var row = stored
    let id = IndexKey(
      .unique(.originalTransactionID), RowKey(row.subscription.originalTransactionID))
    row.subscription.isInUse = memberships.page(by: id).contains {
      $0.isIAP && $0.primaryID != nil && $0.primaryID == stored.subscription.owner
    }
    return row
  }

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
      && polls[RowKey(subscription.originalTransactionID)]?.isFree(at: request.now) ?? true
  }

  /// Whether no entry about the renewal was ever recorded.
  fileprivate func hasUntoldRenewal(_ subscription: Subscription) -> Bool {
    renewals[RowKey(subscription.environment, subscription.originalTransactionID)] == nil
  }

  private func isInBillingRetry(_ subscription: Subscription) -> Bool {
    let key = RowKey(subscription.environment, subscription.originalTransactionID)
    return subscription.autoRenewal
      && renewals[key]?.entries.contains { $0.isInBillingRetry } ?? false
  }
}

extension StoredSubscription: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(subscription.originalTransactionID) }
  var stored: StoredSubscription {
    var row = self
    row.asOf = asOf.inMilliseconds
    row.subscription.purchaseDate = subscription.purchaseDate.inSeconds
    row.subscription.expiresDate = subscription.expiresDate.inSeconds
    row.subscription.isInUse = false
    return row
  }
}

extension Subscription {
  /// The row to keep when the App Store's present values are these.
  fileprivate func merged(into stored: Subscription?, now: Date) -> Subscription {
    var row = self
    row.owner = stored?.owner
    row.environment = stored?.environment ?? environment
    row.createdDate = stored?.createdDate ?? now
    row.updatedDate = stored?.updatedDate
    if row != stored { row.updatedDate = now }
    return row
  }
}
