internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

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
