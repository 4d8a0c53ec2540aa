internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

/// Products that users acquired, in memory.
struct MemoryAcquisitions: AcquisitionRepository {
  let unit: MemoryUnit

  func add(
    _ products: [AcquiredProduct], to userID: AccountID, in bundleID: String
  ) throws -> [String] {
    try AcquiredProduct.check(products, of: userID, in: bundleID)
    let key = MemoryEntitlements.Key(userID, bundleID)
    return try unit.writing { tables in
      var rows = tables.entitlements.acquired[key] ?? [:]
      var added: [UniqueText] = []
      for var product in products where rows[UniqueText(product.productID)] == nil {
        product.acquiredDate = StoredMoment.inMilliseconds(product.acquiredDate)
        rows[UniqueText(product.productID)] = product
        added.append(UniqueText(product.productID))
      }
      if !added.isEmpty { tables.entitlements.acquired[key] = rows }
      return added.sorted().map(\.text)
    }
  }

  func products(of userID: AccountID, in bundleID: String) throws -> [AcquiredProduct] {
    try unit.reading { tables in
      let rows = tables.entitlements.acquired[MemoryEntitlements.Key(userID, bundleID)] ?? [:]
      return rows.sorted { $0.key < $1.key }.map(\.value)
    }
  }
}
