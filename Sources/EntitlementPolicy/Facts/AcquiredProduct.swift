#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A product that a user acquired through a subscription.
///
/// It counts while a subscription that unlocks it is active, and outlasts the end of each subscription.
///
/// Source: entitlement rules, sections 4 and 5.3.
public struct AcquiredProduct: Hashable, Sendable {
  /// The product.
  public var productID: String
  /// The date of the acquisition.
  public var acquiredDate: Date
  /// The product of the subscription through which it was acquired.
  public var viaProductID: String

  /// Creates an acquired product.
  public init(productID: String, acquiredDate: Date, viaProductID: String) {
    self.productID = productID
    self.acquiredDate = acquiredDate
    self.viaProductID = viaProductID
  }
}
