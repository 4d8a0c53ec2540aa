public import JSONValues

/// The event of one customer inside a server notification.
///
/// The signed texts inside are not verified by reading them.
///
/// Source: Apple, `responseBodyV2DecodedPayload.data`.
public struct NotificationData: FieldModel {
  /// Where the event happened.
  public var environment: AppStoreEnvironment?
  /// Apple's number of the app; Sandbox may lack it.
  public var appAppleID: Int?
  /// The identifier of the app.
  public var bundleID: String?
  /// The version of the app.
  public var bundleVersion: String?
  /// The state of the subscription when Apple signed the notification.
  public var status: SubscriptionStatus?
  /// Why the customer asks for a refund.
  public var consumptionRequestReason: ConsumptionRequestReason?
  /// The transaction, as a signed token of its own (see ``Transaction``).
  public var signedTransactionInfo: String?
  /// The renewal, as a signed token of its own (see ``RenewalInfo``).
  public var signedRenewalInfo: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// An empty value, to be filled field by field.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("environment", &environment)
    try coder("appAppleId", &appAppleID)
    try coder("bundleId", &bundleID)
    try coder("bundleVersion", &bundleVersion)
    try coder("status", &status)
    try coder("consumptionRequestReason", &consumptionRequestReason)
    try coder("signedTransactionInfo", &signedTransactionInfo)
    try coder("signedRenewalInfo", &signedRenewalInfo)
  }
}
