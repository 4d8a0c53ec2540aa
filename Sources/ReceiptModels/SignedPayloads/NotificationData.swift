public import JSONValues

/// The event of one customer in a server notification.
///
/// Decoding does not verify the signed texts inside.
///
/// Source: Apple, `responseBodyV2DecodedPayload.data`.
public struct NotificationData: FieldModel {
  /// The environment of the event.
  public var environment: AppStoreEnvironment?
  /// Apple's number of the app, which may be missing in the sandbox.
  public var appAppleID: Int?
  /// The identifier of the app.
  public var bundleID: String?
  /// The version of the app.
  public var bundleVersion: String?
  /// The state of the subscription when Apple signed the notification.
  public var status: SubscriptionStatus?
  /// The customer's reason for requesting a refund.
  public var consumptionRequestReason: ConsumptionRequestReason?
  /// The transaction, as a signed token of its own (see ``Transaction``).
  public var signedTransactionInfo: String?
  /// The renewal, as a signed token of its own (see ``RenewalInfo``).
  public var signedRenewalInfo: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
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

/// The event about the app as a whole in a server notification.
///
/// Decoding does not verify the signed text inside.
///
/// Source: Apple, `responseBodyV2DecodedPayload.appData`.
public struct NotificationAppData: FieldModel {
  /// The environment of the event.
  public var environment: AppStoreEnvironment?
  /// Apple's number of the app, which may be missing in the sandbox.
  public var appAppleID: Int?
  /// The identifier of the app.
  public var bundleID: String?
  /// The app transaction, as a signed token of its own (see ``AppTransaction``).
  public var signedAppTransactionInfo: String?

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  /// Creates an empty value.
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("environment", &environment)
    try coder("appAppleId", &appAppleID)
    try coder("bundleId", &bundleID)
    try coder("signedAppTransactionInfo", &signedAppTransactionInfo)
  }
}

/// The customer's reason for requesting a refund.
///
/// Source: Apple, `consumptionRequestReason`.
public struct ConsumptionRequestReason: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The purchase was unintended.
  public static let unintendedPurchase = ConsumptionRequestReason(rawValue: "UNINTENDED_PURCHASE")
  /// The purchase was not delivered or does not work.
  public static let fulfillmentIssue = ConsumptionRequestReason(rawValue: "FULFILLMENT_ISSUE")
  /// The customer was not satisfied.
  public static let unsatisfiedWithPurchase = ConsumptionRequestReason(
    rawValue: "UNSATISFIED_WITH_PURCHASE")
  public static let legal = ConsumptionRequestReason(rawValue: "LEGAL")
  /// Any other reason.
  public static let other = ConsumptionRequestReason(rawValue: "OTHER")

  /// The values that Apple documents.
  public static let allCases: [ConsumptionRequestReason] = [
    unintendedPurchase, fulfillmentIssue, unsatisfiedWithPurchase, legal, other,
  ]
}
