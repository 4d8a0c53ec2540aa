internal import EntitlementPolicy
internal import PurchaseStorage
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
