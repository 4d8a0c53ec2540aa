public import JSONValues

/// The report inside a server notification on a job for many subscriptions.
///
/// Source: Apple, `responseBodyV2DecodedPayload.summary`.
public struct NotificationSummary: FieldModel {
  /// Where the job ran.
  public var environment: AppStoreEnvironment?
  /// Apple's number of the app; Sandbox may lack it.
  public var appAppleID: Int?
  /// The identifier of the app.
  public var bundleID: String?
  /// The product whose subscriptions were extended.
  public var productID: String?
  /// The identifier that the server gave the job.
  public var requestIdentifier: String?
  /// The countries of the job, by their three-letter codes.
  public var storefrontCountryCodes: [String]?
  /// How many subscriptions were extended.
  public var succeededCount: Int?
  /// How many subscriptions could not be extended.
  public var failedCount: Int?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
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
