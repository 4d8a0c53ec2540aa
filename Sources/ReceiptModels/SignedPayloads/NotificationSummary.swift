public import JSONValues

/// The report about a job for many subscriptions in a server notification.
///
/// Source: Apple, `responseBodyV2DecodedPayload.summary`.
public struct NotificationSummary: FieldModel {
  public var environment: AppStoreEnvironment?
  /// Apple's number of the app, which may be missing in the sandbox.
  public var appAppleID: Int?
  public var bundleID: String?
  public var productID: String?
  /// The identifier of the job, assigned by the server.
  public var requestIdentifier: String?
  /// The three-letter codes of the job's countries.
  public var storefrontCountryCodes: [String]?
  public var succeededCount: Int?
  public var failedCount: Int?
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("environment", &environment)
    try coder("appAppleId", &appAppleID)
    try coder("bundleId", &bundleID)
    try coder("productId", &productID)
    try coder("requestIdentifier", &requestIdentifier)
    try coder("storefrontCountryCodes", &storefrontCountryCodes)
    try coder("succeededCount", &succeededCount)
    try coder("failedCount", &failedCount)
  }
}
