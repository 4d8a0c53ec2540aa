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
      Set(originalTransactionIDs).sorted { $0.isBefore($1) }.compactMap { tables.subscription($0) }
    }
  }

  func save(_ subscription: Subscription, asOf: Date, now: Date) throws {
    try subscription.checkTexts()
    let id = subscription.originalTransactionID
    try unit.writing { tables in
      let stored = tables.subscriptions[id]
      if let stored = stored?.subscription, tables.hasUntoldRenewal(stored),
        stored.expiresDate != StoredMoment.inSeconds(subscription.expiresDate)
      {
        tables.polls[id]?.nextTry = nil
      }
      tables.subscriptions[id] = StoredSubscription(
        subscription: subscription.merged(into: stored?.subscription, now: now),
        asOf: max(StoredMoment.inMilliseconds(asOf), stored?.asOf ?? .distantPast))
    }
  }

  func setOwner(_ owner: AccountID?, of originalTransactionID: String, now: Date) throws {
    try StoredText.check("owner", owner?.rawValue, .accountID)
    try unit.writing { tables in
      guard var row = tables.subscriptions[originalTransactionID],
        row.subscription.owner != owner
      else { return }
      row.subscription.owner = owner
      row.subscription.updatedDate = StoredMoment.inSeconds(now)
      tables.subscriptions[originalTransactionID] = row
    }
  }

  func list(owner: AccountID, offset: Int, limit: Int) throws -> SubscriptionPage {
    try unit.reading { tables in
      let owned = tables.subscriptions.values.map(\.subscription)
        .filter { $0.owner == owner }
        .sorted(by: Self.isListedBefore)
      let page = owned.dropFirst(max(0, offset)).prefix(max(0, limit))
      return SubscriptionPage(
        total: owned.count,
        subscriptions: page.compactMap {
          tables.subscription($0.originalTransactionID)?.subscription
        }
      )
    }
  }

  private static func isListedBefore(_ one: Subscription, _ other: Subscription) -> Bool {
    one.expiresDate == other.expiresDate
      ? one.originalTransactionID.isBefore(other.originalTransactionID)
      : one.expiresDate > other.expiresDate
  }
}

extension MemoryTables {
  /// A stored subscription, with `isInUse`.
  fileprivate func subscription(_ id: String) -> StoredSubscription? {
    guard var row = subscriptions[id] else { return nil }
    row.subscription.isInUse = memberships.values.contains {
      $0.isIAP && $0.originalTransactionID == id && $0.primaryID != nil
        && $0.primaryID == row.subscription.owner
    }
    return row
  }
}

extension Subscription {
  /// The row to keep when the App Store's present values are these.
  fileprivate func merged(into stored: Subscription?, now: Date) -> Subscription {
    var row = self
    row.isInUse = false
    row.purchaseDate = StoredMoment.inSeconds(purchaseDate)
    row.expiresDate = StoredMoment.inSeconds(expiresDate)
    row.owner = stored?.owner
    row.environment = stored?.environment ?? environment
    row.createdDate = stored?.createdDate ?? StoredMoment.inSeconds(now)
    row.updatedDate = stored?.updatedDate
    if row != stored { row.updatedDate = StoredMoment.inSeconds(now) }
    return row
  }
}
