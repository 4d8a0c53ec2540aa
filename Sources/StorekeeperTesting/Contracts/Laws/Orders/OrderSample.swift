internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The values of orders that the laws write.
enum OrderSample {
  static func level(
    _ name: String, fee: MonthlyFee = "1", apple: String? = nil, google: String? = nil
  ) -> SubscriptionLevel {
    SubscriptionLevel(
      name: name, description: "The level \(name)", quota: 10, fee: fee,
      appleProductID: apple, googleProductID: google)
  }

  static func levels(_ levels: SubscriptionLevel...) -> SubscriptionLevels {
    SubscriptionLevels(stored: levels)
  }

  static func subscription(
    of userID: AccountID = "ann", level: String = "Pro", from vendor: Vendor = .apple,
    key: String = "production:1", until end: Date = ContractSample.later(3600.125)
  ) -> OrderedSubscription {
    OrderedSubscription(
      userID: userID, levelName: level, vendor: vendor, purchaseKey: key, receiptData: "receipt",
      expiration: end, validatedDate: ContractSample.now)
  }
}

// Short forms that the laws share: each is a unit of work of its own.
extension PurchaseStore {
  func replaceLevels(with levels: SubscriptionLevels) async throws {
    try await write { try await $0.levels.replace(with: levels) }
  }

  func levels() async throws -> SubscriptionLevels { try await read { try await $0.levels.all() } }

  func add(_ subscription: OrderedSubscription) async throws -> Bool {
    try await write { try await $0.orderedSubscriptions.add(subscription) }
  }

  func save(_ subscription: OrderedSubscription) async throws {
    try await write { try await $0.orderedSubscriptions.save(subscription) }
  }

  func orderedSubscription(of userID: AccountID = "ann") async throws -> OrderedSubscription? {
    try await read { try await $0.orderedSubscriptions.find(userID) }
  }

  @discardableResult
  func removeSubscription(of userID: AccountID = "ann") async throws -> Bool {
    try await write { try await $0.orderedSubscriptions.remove(userID) }
  }

  @discardableResult
  func claimPurchase(
    _ key: String, from vendor: Vendor = .apple, for userID: AccountID = "ann"
  ) async throws -> AccountID {
    try await write { try await $0.subscriptionClaims.claim(key, from: vendor, for: userID) }
  }

  func owners(_ keys: [String], from vendor: Vendor = .apple) async throws -> [AccountID?] {
    try await read { try await $0.subscriptionClaims.owners(of: keys, from: vendor) }
  }

  func removeClaim(_ key: String, from vendor: Vendor = .apple) async throws {
    try await write { try await $0.subscriptionClaims.remove(key, from: vendor) }
  }
}
