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
  public var userID: AccountID
  public var productCode: String
  /// The identifier of the product in the store.
  public var appStoreProductID: String
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

/// The identity of a buyer of starter packs, each of whom gets one.
///
/// Source: credit rules, section 7.
public enum StarterIdentity {
  /// Returns the identity of a user: the e-mail address without white space around it, in lower case,
  /// or `user:` with the user's identifier if there is no address.
  ///
  /// Dots and `+` in an address are not touched.
  public static func identity(email: String?, userID: AccountID) -> String {
    let text = (email ?? "").trimmed.lowercased()
    return text.isEmpty ? "user:\(userID.rawValue)" : text
  }
}
