internal import LinkPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Subscriptions in memory.
struct MemorySubscriptions: SubscriptionRepository {
  let unit: MemoryUnit

  func find(_ originalTransactionIDs: [String]) throws -> [StoredSubscription] {
    try unit.reading { tables in
      tables.subscriptions.rows(at: originalTransactionIDs.map { RowKey($0) })
        .map(tables.withUse)
    }
  }

  func save(_ subscription: Subscription, asOf: Date, now: Date) throws {
    let row = StoredSubscription(subscription: subscription, asOf: asOf)
    try unit.writing(row) { tables, row in
      let stored = tables.subscriptions[row.rowKey]
      if let stored = stored?.subscription, tables.hasUntoldRenewal(stored),
        stored.expiresDate != subscription.expiresDate.inSeconds
      {
        tables.polls[row.rowKey]?.nextTry = nil
      }
      tables.subscriptions.save(
        StoredSubscription(
          subscription: row.subscription.merged(into: stored?.subscription, now: now),
          asOf: max(row.asOf, stored?.asOf ?? .distantPast)))
    }
  }

  func setOwner(_ owner: AccountID?, of originalTransactionID: String, now: Date) throws {
    try StoredText.check("owner", owner?.rawValue, .accountID)
    try unit.writing { tables in
      guard var row = tables.subscriptions[RowKey(originalTransactionID)],
        row.subscription.owner != owner
      else { return }
      row.subscription.owner = owner
      row.subscription.updatedDate = now.inSeconds
      tables.subscriptions.save(row)
    }
  }

  func list(owner: AccountID, offset: Int, limit: Int) throws -> SubscriptionPage {
    try unit.reading { tables in
      // Sorting is stable: those that expire at one moment stay in the order of their ids.
      let owned = tables.subscriptions.page(by: IndexKey(.account, RowKey(owner)))
        .sorted { $0.subscription.expiresDate > $1.subscription.expiresDate }
      let page = owned.dropFirst(max(0, offset)).prefix(max(0, limit))
      return SubscriptionPage(
        total: owned.count, subscriptions: page.map { tables.withUse($0).subscription })
    }
  }
}

extension MemoryTables {
  /// Returns a stored subscription with `isInUse`.
  fileprivate func withUse(_ stored: StoredSubscription) -> StoredSubscription {
    var row = stored
    let id = stored.subscription.originalTransactionID
    row.subscription.isInUse =
      memberships.page(by: IndexKey(.unique(.originalTransactionID), RowKey(id))).contains {
        $0.isIAP && $0.primaryID != nil && $0.primaryID == stored.subscription.owner
      }
    return row
  }
}

extension StoredSubscription: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(subscription.originalTransactionID) }
  var stored: StoredSubscription {
    StoredSubscription(subscription: subscription, asOf: asOf.inMilliseconds)
  }

  func checkTexts() throws(StorageFailure) { try subscription.checkTexts() }
}

extension Subscription {
  /// The row to keep when the App Store's present values are these.
  fileprivate func merged(into stored: Subscription?, now: Date) -> Subscription {
    var row = self
    row.isInUse = false
    row.purchaseDate = purchaseDate.inSeconds
    row.expiresDate = expiresDate.inSeconds
    row.owner = stored?.owner
    row.environment = stored?.environment ?? environment
    row.createdDate = stored?.createdDate ?? now.inSeconds
    row.updatedDate = stored?.updatedDate
    if row != stored { row.updatedDate = now.inSeconds }
    return row
  }
}
