public import JSONValues

/// The event about the app as a whole inside a server notification.
///
/// The signed text inside is not verified by reading it.
///
/// Source: Apple, `responseBodyV2DecodedPayload.appData`.
public struct NotificationAppData: FieldModel {
  /// Where the event happened.
  public var environment: AppStoreEnvironment?
  /// Apple's number of the app; Sandbox may lack it.
  public var appAppleID: Int?
  /// The identifier of the app.
  public var bundleID: String?
  /// The app transaction, as a signed token of its own (see ``AppTransaction``).
  public var signedAppTransactionInfo: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("environment", &environment)
    try coder("appAppleId", &appAppleID)
    try coder("bundleId", &bundleID)
    try coder("signedAppTransactionInfo", &signedAppTransactionInfo)
  }
}
