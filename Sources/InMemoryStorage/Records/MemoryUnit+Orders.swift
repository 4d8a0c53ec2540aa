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
    try writing(subscription) { $0.orderedSubscriptions.add($1) }
  }

  func save(_ subscription: OrderedSubscription) throws {
    try writing(subscription) { $0.orderedSubscriptions.save($1) }
  }

  func remove(_ userID: AccountID) throws -> Bool {
    try writing { tables in
      defer { tables.orderedSubscriptions[RowKey(userID)] = nil }
      return tables.orderedSubscriptions[RowKey(userID)] != nil
    }
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
    try purchase.checkClaim(for: userID)
    return try writing { tables in
      let owner = tables.subscriptionClaims[purchase] ?? userID
      tables.subscriptionClaims[purchase] = owner
      return owner
    }
  }

  func remove(_ purchase: PurchaseKey) throws {
    try writing { $0.subscriptionClaims[purchase] = nil }
  }
}

extension MemoryUnit: PushedMessageRepository {
  func record(_ messageID: String, now: Date) throws -> Bool {
    try StoredText.check(.evidence("messageID"), messageID, .word)
    return try writing { tables in
      guard tables.pushedMessages[RowKey(messageID)] == nil else { return false }
      tables.pushedMessages[RowKey(messageID)] = now.inMilliseconds
      return true
    }
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
