public import JSONValues
public import JWSVerifier
public import ReceiptModels

/// The answer to a request of the Advanced Commerce API, as Apple sent it.
///
/// Decoding verifies nothing. Source: App Store Server API rules, section 2.6.
public struct AdvancedCommerceResponse: FieldModel {
  public var signedTransactionInfo: String = ""
  /// The renewal info, as a signed token of its own, which may be missing after a request for a
  /// refund.
  public var signedRenewalInfo: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates an answer without a renewal info.
  public init(signedTransactionInfo: String) {
    self.signedTransactionInfo = signedTransactionInfo
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("signedTransactionInfo", &signedTransactionInfo)
    try coder("signedRenewalInfo", &signedRenewalInfo)
  }
}

/// The purchase after a call of the Advanced Commerce API.
public struct AdvancedCommerceResult: Sendable {
  public let transaction: Verified<Transaction>
  /// The renewal info of the same subscription; nil if Apple sent none, which only happens after a
  /// request for a refund.
  public let renewalInfo: Verified<RenewalInfo>?
}
