internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The levels that are sold, in memory.
struct MemoryLevels: LevelRepository {
  let unit: MemoryUnit

  func all() throws -> SubscriptionLevels {
    try unit.reading { SubscriptionLevels(stored: $0.levels) }
  }

  func replace(with levels: SubscriptionLevels) throws {
    try unit.writing { $0.levels = levels.all }
  }
}

/// The subscriptions of users, in memory.
struct MemoryOrderedSubscriptions: OrderedSubscriptionRepository {
  let unit: MemoryUnit

  func find(_ userID: AccountID) throws -> OrderedSubscription? {
    try unit.reading { $0.orderedSubscriptions[RowKey(userID)] }
  }

  func add(_ subscription: OrderedSubscription) throws -> Bool {
    try unit.writing(subscription) { $0.orderedSubscriptions.add($1) }
  }

  func save(_ subscription: OrderedSubscription) throws {
    try unit.writing(subscription) { $0.orderedSubscriptions.save($1) }
  }

  func remove(_ userID: AccountID) throws -> Bool {
    try unit.writing { tables in
      defer { tables.orderedSubscriptions[RowKey(userID)] = nil }
      return tables.orderedSubscriptions[RowKey(userID)] != nil
    }
  }

  func levelNames() throws -> [String] {
    try unit.reading { tables in
      Set(tables.orderedSubscriptions.page().map { UniqueText($0.levelName) }).sorted()
        .map(\.text)
    }
  }
}

/// The users that purchases belong to, in memory.
struct MemorySubscriptionClaims: SubscriptionClaimRepository {
  let unit: MemoryUnit

  func owners(of purchaseKeys: [String], from vendor: Vendor) throws -> [AccountID?] {
    try unit.reading { tables in
      purchaseKeys.map { tables.subscriptionClaims[RowKey(vendor.rawValue, $0)] }
    }
  }

  func claim(
    _ purchaseKey: String, from vendor: Vendor, for userID: AccountID
  ) throws -> AccountID {
    try StoredText.checkClaim(purchaseKey, from: vendor, for: userID)
    let key = RowKey(vendor.rawValue, purchaseKey)
    return try unit.writing { tables in
      if let owner = tables.subscriptionClaims[key] { return owner }
      tables.subscriptionClaims[key] = userID
      return userID
    }
  }

  func remove(_ purchaseKey: String, from vendor: Vendor) throws {
    try unit.writing { $0.subscriptionClaims[RowKey(vendor.rawValue, purchaseKey)] = nil }
  }
}

/// The messages that Google pushed, in memory.
struct MemoryPushedMessages: PushedMessageRepository {
  let unit: MemoryUnit

  func record(_ messageID: String, now: Date) throws -> Bool {
    try StoredText.check(.evidence("messageID"), messageID, .word)
    return try unit.writing { tables in
      guard tables.pushedMessages[RowKey(messageID)] == nil else { return false }
      tables.pushedMessages[RowKey(messageID)] = now.inMilliseconds
      return true
    }
  }

  func isRecorded(_ messageID: String) throws -> Bool {
    try unit.reading { $0.pushedMessages[RowKey(messageID)] != nil }
  }

  func remove(before: Date, limit: Int) throws -> Int {
    try unit.writing { tables in
      tables.pushedMessages.remove(before: before.inMilliseconds, limit: limit) { $0 }
    }
  }
}

extension OrderedSubscription: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(userID) }

  var stored: OrderedSubscription {
    var row = self
    row.expiration = expiration.inMilliseconds
    row.validatedDate = validatedDate.inMilliseconds
    return row
  }
}
