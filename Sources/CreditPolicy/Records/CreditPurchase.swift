public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A purchase of a credit product, as Apple signed it or as Google Play described it.
///
/// Source: credit rules, section 2.
public struct CreditPurchase: Hashable, Sendable {
  public var environment: AppStoreEnvironment
  public var transactionID: String
  /// The first transaction of the purchase, which for a consumable is the transaction itself.
  public var originalTransactionID: String
  /// The app's bundle identifier, or its package name at Google Play.
  public var bundleID: String
  public var productID: String
  /// The number of units, at least 1.
  public var quantity: Int
  /// The date of the purchase, in milliseconds.
  public var purchaseDate: Date
  /// The account that the app named, if any.
  public var appAccountToken: UUID?
  /// The date at which Apple took the purchase back, if it did.
  public var revocationDate: Date?

  /// Creates a purchase.
  public init(
    environment: AppStoreEnvironment, transactionID: String, originalTransactionID: String? = nil,
    bundleID: String, productID: String, quantity: Int = 1, purchaseDate: Date,
    appAccountToken: UUID? = nil, revocationDate: Date? = nil
  ) {
    self.environment = environment
    self.transactionID = transactionID
    self.originalTransactionID = originalTransactionID ?? transactionID
    self.bundleID = bundleID
    self.productID = productID
    self.quantity = quantity
    self.purchaseDate = purchaseDate
    self.appAccountToken = appAccountToken
    self.revocationDate = revocationDate
  }

  /// The store in which the purchase was made; the transaction's identifier tells it.
  public var vendor: Vendor { TransactionIDs.vendor(of: transactionID) }
}
