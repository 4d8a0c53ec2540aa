internal import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A product that a user bought for good, in an environment.
///
/// Source: entitlement rules, sections 4 and 5.3.
public struct PurchasedProduct: Hashable, Sendable {
  public var productID: String
  public var environment: AppStoreEnvironment

  /// Creates a purchased product.
  public init(productID: String, environment: AppStoreEnvironment = .production) {
    self.productID = productID
    self.environment = environment
  }

  /// Returns whether the bytes of both texts are the same.
  public static func == (one: PurchasedProduct, other: PurchasedProduct) -> Bool {
    one.key == other.key && one.environment == other.environment
  }

  /// Hashes the bytes of both texts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(environment)
  }

  fileprivate var key: UniqueText { UniqueText(productID) }
}

extension [PurchasedProduct] {
  /// The products, each once in an environment, in ascending order of the bytes.
  var uniqueInOrder: [PurchasedProduct] {
    var products = self
    products.sort { one, other in
      one.key == other.key
        ? UniqueText(one.environment.rawValue) < UniqueText(other.environment.rawValue)
        : one.key < other.key
    }
    return products.unique { $0 == $1 }
  }

  /// The identifiers of products in order, each once.
  var productIDs: [String] { unique { $0.key == $1.key }.map(\.productID) }

  private func unique(
    _ areSame: (PurchasedProduct, PurchasedProduct) -> Bool
  ) -> [PurchasedProduct] {
    var unique: [PurchasedProduct] = []
    unique.reserveCapacity(count)
    for product in self where unique.last.map({ areSame($0, product) }) != true {
      unique.append(product)
    }
    return unique
  }
}

/// A product that a user acquired through a subscription.
///
/// It counts while a subscription that unlocks it is active, and outlasts the end of each subscription.
/// Source: entitlement rules, sections 4 and 5.3.
public struct AcquiredProduct: Hashable, Sendable {
  public var productID: String
  public var acquiredDate: Date
  public var viaProductID: String

  /// Creates an acquired product.
  public init(productID: String, acquiredDate: Date, viaProductID: String) {
    self.productID = productID
    self.acquiredDate = acquiredDate
    self.viaProductID = viaProductID
  }
}
