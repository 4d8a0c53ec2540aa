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
    of userID: AccountID = "ann", level: String = "Pro", key: PurchaseKey = OrderSample.key("1"),
    until end: Date = ContractSample.later(3600.125)
  ) -> OrderedSubscription {
    OrderedSubscription(
      userID: userID, levelName: level, purchaseKey: key, receiptData: "receipt",
      expiration: end, validatedDate: ContractSample.now)
  }

  static func key(
    _ identifier: String, from vendor: Vendor = .apple,
    in environment: AppStoreEnvironment = .production
  ) -> PurchaseKey {
    PurchaseKey(vendor: vendor, environment: environment, identifier: identifier)
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
    _ id: String, from vendor: Vendor = .apple, in environment: AppStoreEnvironment = .production,
    for userID: AccountID = "ann"
  ) async throws -> AccountID {
    let key = OrderSample.key(id, from: vendor, in: environment)
    return try await write { try await $0.subscriptionClaims.claim(key, for: userID) }
  }

  func owners(
    _ ids: [String], from vendor: Vendor = .apple, in environment: AppStoreEnvironment = .production
  ) async throws -> [AccountID?] {
    let keys = ids.map { OrderSample.key($0, from: vendor, in: environment) }
    return try await read { try await $0.subscriptionClaims.owners(of: keys) }
  }

  func removeClaim(_ id: String) async throws {
    try await write { try await $0.subscriptionClaims.remove(OrderSample.key(id)) }
  }
}
