public import JSONValues

/// The report about a job for many subscriptions in a server notification.
///
/// Source: Apple, `responseBodyV2DecodedPayload.summary`.
public struct NotificationSummary: FieldModel {
  /// The environment of the job.
  public var environment: AppStoreEnvironment?
  /// Apple's number of the app, which may be missing in the sandbox.
  public var appAppleID: Int?
  /// The identifier of the app.
  public var bundleID: String?
  /// The product whose subscriptions were extended.
  public var productID: String?
  /// The identifier of the job, assigned by the server.
  public var requestIdentifier: String?
  /// The three-letter codes of the job's countries.
  public var storefrontCountryCodes: [String]?
  /// The number of subscriptions extended.
  public var succeededCount: Int?
  /// The number of subscriptions that could not be extended.
  public var failedCount: Int?

  /// Members that this version does not know.
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
