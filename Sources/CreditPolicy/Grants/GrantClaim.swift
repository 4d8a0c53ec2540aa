public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A client's statement about a purchase, to be compared with what Apple signed.
///
/// Source: credit rules, section 1.
public struct GrantClaim: Hashable, Sendable {
  /// The user who asks for the credits.
  public var userID: AccountID
  /// The host's code of the product.
  public var productCode: String
  /// The identifier of the product in the App Store.
  public var appStoreProductID: String
  /// The transaction.
  public var transactionID: String
  /// The account token that the client used, if any.
  public var appAccountToken: UUID?

  /// Creates a claim.
  public init(
    userID: AccountID, productCode: String, appStoreProductID: String, transactionID: String,
    appAccountToken: UUID? = nil
  ) {
    self.userID = userID
    self.productCode = productCode
    self.appStoreProductID = appStoreProductID
    self.transactionID = transactionID
    self.appAccountToken = appAccountToken
  }
}
