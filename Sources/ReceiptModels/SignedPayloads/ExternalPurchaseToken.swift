public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The token for external purchases in a server notification.
///
/// It has no `environment`: an ``externalPurchaseID`` that begins with `SANDBOX` belongs to the
/// sandbox, and any other to Production.
///
/// Source: Apple, `responseBodyV2DecodedPayload.externalPurchaseToken`.
public struct ExternalPurchaseToken: FieldModel {
  public var externalPurchaseID: String?
  public var tokenCreationDate: Date?
  /// The expiration date of the token; only for custom links.
  public var tokenExpirationDate: Date?
  /// The type of the token; only for custom links.
  public var tokenType: ExternalPurchaseTokenType?
  /// Apple's number of the app, which may be missing in the sandbox.
  public var appAppleID: Int?
  public var bundleID: String?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
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

/// The type of a token for external purchases.
///
/// Apple sends it with tokens for custom links only. `IN_APP` and `LINK_OUT` were reported for
/// Japan but are not documented; they are unknown values.
///
/// Source: Apple, `tokenType`.
public struct ExternalPurchaseTokenType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A token for the fee on acquiring customers.
  public static let acquisition = Self(rawValue: "ACQUISITION")
  /// A token for the fee on the services of the store.
  public static let services = Self(rawValue: "SERVICES")

  public static let allCases: [Self] = [acquisition, services]
}
