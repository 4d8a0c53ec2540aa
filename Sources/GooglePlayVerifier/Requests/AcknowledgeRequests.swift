public import JSONValues
public import ReceiptModels

/// An acknowledgement of a one-time product.
package struct ProductPurchasesAcknowledgeRequest: CheckedPlayRequest {
  package var developerPayload: String?
  package var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("developerPayload", &developerPayload)
  }

  package func validate() throws(InvalidCall) {}
}

/// An acknowledgement of a subscription.
package struct SubscriptionPurchasesAcknowledgeRequest: CheckedPlayRequest {
  package var developerPayload: String?
  package var externalAccountIDs: ExternalAccountIDs?
  package var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("developerPayload", &developerPayload)
    try coder("externalAccountIds", &externalAccountIDs)
  }

  package func validate() throws(InvalidCall) {
    guard let accounts = externalAccountIDs else { return }
    try PlayRequestCheck.length(
      accounts.obfuscatedAccountID, atMost: ExternalAccountIDs.limit, .obfuscatedAccountID)
    try PlayRequestCheck.length(
      accounts.obfuscatedProfileID, atMost: ExternalAccountIDs.limit, .obfuscatedProfileID)
  }
}

/// A user's accounts in the app, which Google attaches to a purchase.
///
/// Source: Google Play Developer API, `ExternalAccountIds`.
public struct ExternalAccountIDs: FieldModel, GoogleModel {
  /// The maximum length of each identifier, in characters.
  public static let limit = 64

  /// The identifier of the account, in a form that tells Google nothing.
  public var obfuscatedAccountID: String?
  /// The identifier of the profile in the account, in such a form.
  public var obfuscatedProfileID: String?
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a value.
  public init(obfuscatedAccountID: String? = nil, obfuscatedProfileID: String? = nil) {
    self.obfuscatedAccountID = obfuscatedAccountID
    self.obfuscatedProfileID = obfuscatedProfileID
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("obfuscatedAccountId", &obfuscatedAccountID)
    try coder("obfuscatedProfileId", &obfuscatedProfileID)
  }
}
