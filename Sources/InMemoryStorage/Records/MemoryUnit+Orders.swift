internal import JSONValues
internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: LevelRepository {
  func all() throws -> SubscriptionLevels { SubscriptionLevels(stored: try tables.levels) }

  func replace(with levels: SubscriptionLevels) throws { try writing { $0.levels = levels.all } }
}

extension MemoryUnit: OrderedSubscriptionRepository {
  func find(_ userID: AccountID) throws -> OrderedSubscription? {
    try tables.orderedSubscriptions[RowKey(userID)]
  }

  func add(_ subscription: OrderedSubscription) throws -> Bool {
    try writing { $0.orderedSubscriptions.add(subscription) }
  }

  func save(_ subscription: OrderedSubscription) throws {
    try writing { $0.orderedSubscriptions.save(subscription) }
  }

  func remove(_ userID: AccountID) throws -> Bool {
    try writing { $0.orderedSubscriptions.remove(RowKey(userID)) }
  }

  func levelNames() throws -> [String] {
    let names = try tables.orderedSubscriptions.page().map { UniqueText($0.levelName) }
    return Set(names).sorted().map(\.text)
  }
}

extension MemoryUnit: SubscriptionClaimRepository {
  func owners(of purchases: [PurchaseKey]) throws -> [AccountID?] {
    let claims = try tables.subscriptionClaims
    return purchases.map { claims[$0] }
  }

  func claim(_ purchase: PurchaseKey, for userID: AccountID) throws -> AccountID {
    try writing { tables in
      let owner = tables.subscriptionClaims[purchase] ?? userID
      tables.subscriptionClaims[purchase] = owner
      return owner
    }
  }

  func transfer(_ purchase: PurchaseKey, to userID: AccountID) throws {
    try writing { tables in
      guard tables.subscriptionClaims[purchase] != nil else { return }
      tables.subscriptionClaims[purchase] = userID
    }
  }

  func remove(_ purchase: PurchaseKey) throws {
    try writing { $0.subscriptionClaims[purchase] = nil }
  }
}

extension MemoryUnit: PushedMessageRepository {
  func record(_ messageID: String, now: Date) throws -> Bool {
    try writing { $0.pushedMessages.add(now.inMilliseconds, at: RowKey(messageID)) }
  }

  func isRecorded(_ messageID: String) throws -> Bool {
    try tables.pushedMessages[RowKey(messageID)] != nil
  }

  func remove(before: Date, limit: Int) throws -> Int {
    try writing { tables in
      tables.pushedMessages.remove(before: before.inMilliseconds, limit: limit) { $0 }
    }
  }
}

extension OrderedSubscription: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(userID) }
  var stored: OrderedSubscription { inMilliseconds(\.expiration, \.validatedDate) }
}
