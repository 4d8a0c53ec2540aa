internal import EntitlementPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The tables of orders.
struct MemoryOrders: Sendable {
  /// A purchase of a vendor.
  struct Key: Hashable, Sendable {
    private let vendor: UniqueText
    private let purchaseKey: UniqueText

    /// Creates a key.
    init(_ vendor: Vendor, _ purchaseKey: String) {
      self.vendor = UniqueText(vendor.rawValue)
      self.purchaseKey = UniqueText(purchaseKey)
    }
  }

  var levels: [SubscriptionLevel] = []
  var subscriptions: [AccountID: OrderedSubscription] = [:]
  /// The dates of messages, by their identifiers.
  var messages: [UniqueText: Date] = [:]
  /// The user of each purchase.
  var claims: [Key: AccountID] = [:]
}

/// The levels that are sold, in memory.
struct MemoryLevels: LevelRepository {
  let unit: MemoryUnit

  func all() throws -> SubscriptionLevels {
    try unit.reading { SubscriptionLevels(stored: $0.orders.levels) }
  }

  func replace(with levels: SubscriptionLevels) throws {
    try unit.writing { $0.orders.levels = levels.all }
  }
}

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

/// The users that purchases belong to, in memory.
struct MemorySubscriptionClaims: SubscriptionClaimRepository {
  let unit: MemoryUnit

  func owners(of purchaseKeys: [String], from vendor: Vendor) throws -> [AccountID?] {
    try unit.reading { tables in
      purchaseKeys.map { tables.orders.claims[MemoryOrders.Key(vendor, $0)] }
    }
  }

  func claim(
    _ purchaseKey: String, from vendor: Vendor, for userID: AccountID
  ) throws -> AccountID {
    try StoredText.checkClaim(purchaseKey, from: vendor, for: userID)
    let key = MemoryOrders.Key(vendor, purchaseKey)
    return try unit.writing { tables in
      if let owner = tables.orders.claims[key] { return owner }
      tables.orders.claims[key] = userID
      return userID
    }
  }

  func remove(_ purchaseKey: String, from vendor: Vendor) throws {
    try unit.writing { $0.orders.claims[MemoryOrders.Key(vendor, purchaseKey)] = nil }
  }
}

/// The messages that Google pushed, in memory.
struct MemoryPushedMessages: PushedMessageRepository {
  let unit: MemoryUnit

  func record(_ messageID: String, now: Date) throws -> Bool {
    try StoredText.check("messageID", messageID, .word)
    return try unit.writing { tables in
      guard tables.orders.messages[UniqueText(messageID)] == nil else { return false }
      tables.orders.messages[UniqueText(messageID)] = StoredMoment.inMilliseconds(now)
      return true
    }
  }

  func isRecorded(_ messageID: String) throws -> Bool {
    try unit.reading { $0.orders.messages[UniqueText(messageID)] != nil }
  }

  func remove(before: Date, limit: Int) throws -> Int {
    let before = StoredMoment.inMilliseconds(before)
    return try unit.writing { tables in
      let old = tables.orders.messages.filter { $0.value < before }
        .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(max(0, limit))
      for (id, _) in old { tables.orders.messages[id] = nil }
      return old.count
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
