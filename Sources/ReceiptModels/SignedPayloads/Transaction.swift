#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What Apple signs about one purchase, renewal or restored purchase.
///
/// Money is in thousandths of the currency unit. A decoded value alone proves nothing: services
/// take the verified form.
///
/// Source: Apple, `JWSTransactionDecodedPayload`.
public struct Transaction: FieldModel {
  /// The identifier of this charge.
  public var transactionID: String?
  /// The identifier of the first charge, stable over renewals.
  public var originalTransactionID: String?
  /// When this charge was made.
  public var purchaseDate: Date?
  /// The account that the app named when buying; see ``additionalMembers`` for a text that is no UUID.
  public var appAccountToken: UUID?
  /// Where the purchase was made.
  public var environment: AppStoreEnvironment?

  /// Members that this version does not know, and an account token that is no UUID.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty transaction, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("transactionId", &transactionID)
    try coder("originalTransactionId", &originalTransactionID)
    try coder("purchaseDate", &purchaseDate)
    try coder.lenient("appAccountToken", &appAccountToken)
    try coder("environment", &environment)
  }
}
