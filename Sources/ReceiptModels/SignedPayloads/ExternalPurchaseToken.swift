public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The token for external purchases inside a server notification.
///
/// It has no `environment`: an ``externalPurchaseID`` that begins with `SANDBOX` belongs to
/// Sandbox, any other to Production.
///
/// Source: Apple, `responseBodyV2DecodedPayload.externalPurchaseToken`.
public struct ExternalPurchaseToken: FieldModel {
  /// The identifier of the token.
  public var externalPurchaseID: String?
  /// When the token was made.
  public var tokenCreationDate: Date?
  /// When the token ends; only for custom links.
  public var tokenExpirationDate: Date?
  /// What the token stands for; only for custom links.
  public var tokenType: ExternalPurchaseTokenType?
  /// Apple's number of the app; Sandbox may lack it.
  public var appAppleID: Int?
  /// The identifier of the app.
  public var bundleID: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("externalPurchaseId", &externalPurchaseID)
    try coder("tokenCreationDate", &tokenCreationDate)
    try coder("tokenExpirationDate", &tokenExpirationDate)
    try coder("tokenType", &tokenType)
    try coder("appAppleId", &appAppleID)
    try coder("bundleId", &bundleID)
  }
}
