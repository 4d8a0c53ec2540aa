public import JWSVerifier
public import ReceiptModels

/// The purchase after a call of the Advanced Commerce API.
public struct AdvancedCommerceResult: Sendable {
  /// The transaction.
  public let transaction: Verified<Transaction>
  /// The renewal info of the same subscription; nil if Apple sent none, which only happens after a
  /// request for a refund.
  public let renewalInfo: Verified<RenewalInfo>?
}
