internal import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A product that a user may use, with the reason and its end.
///
/// Source: entitlement rules, sections 5.3 and 10.1.
public struct ProductAllowance: Hashable, Sendable {
  public let productID: String
  /// The environment of the purchase: Production if the product was bought there, too.
  public let environment: AppStoreEnvironment
  /// The end of the subscription by which the product was acquired; nil for a product that was bought.
  public let endDate: Date?
}

extension Entitlements {
  /// The allowed products with their ends, in the order of ``allowedProducts``.
  ///
  /// One that was bought has no end, also if a subscription unlocks it.
  public var allowances: [ProductAllowance] {
    var bought: [UniqueText: AppStoreEnvironment] = [:]
    for product in countedPurchases {
      let id = UniqueText(product.productID)
      // Production comes first, which the user paid for.
      if bought[id] == nil || product.environment == .production {
        bought[id] = product.environment
      }
    }
    return allowedProducts.compactMap { id in
      if let environment = bought[UniqueText(id)] {
        return ProductAllowance(productID: id, environment: environment, endDate: nil)
      }
      return standings(unlocking: id).max { $0.accessEndDate < $1.accessEndDate }.map {
        ProductAllowance(
          productID: id, environment: $0.subscription.environment, endDate: $0.accessEndDate)
      }
    }
  }
}
