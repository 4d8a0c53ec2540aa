internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The subscriptions of users, in memory.
struct MemoryOrderedSubscriptions: OrderedSubscriptionRepository {
  let unit: MemoryUnit

  func find(_ userID: AccountID) throws -> OrderedSubscription? {
    try unit.reading { $0.orders.subscriptions[userID] }
  }

  func add(_ subscription: OrderedSubscription) throws -> Bool {
    try subscription.checkTexts()
    return try unit.writing { tables in
      guard tables.orders.subscriptions[subscription.userID] == nil else { return false }
      tables.orders.subscriptions[subscription.userID] = subscription.stored
      return true
    }
  }

  func save(_ subscription: OrderedSubscription) throws {
    try subscription.checkTexts()
    try unit.writing { $0.orders.subscriptions[subscription.userID] = subscription.stored }
  }

  func remove(_ userID: AccountID) throws -> Bool {
    try unit.writing { $0.orders.subscriptions.removeValue(forKey: userID) != nil }
  }

  func levelNames() throws -> [String] {
    try unit.reading { tables in
      Set(tables.orders.subscriptions.values.map { UniqueText($0.levelName) }).sorted().map(\.text)
    }
  }
}

extension OrderedSubscription {
  /// The value as a later query reads it.
  fileprivate var stored: OrderedSubscription {
    var row = self
    row.expiration = StoredMoment.inMilliseconds(expiration)
    row.validatedDate = StoredMoment.inMilliseconds(validatedDate)
    return row
  }
}
