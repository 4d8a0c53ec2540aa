public import JSONValues

/// The event of one customer in a server notification.
///
/// Decoding does not verify the signed texts inside.
///
/// Source: Apple, `responseBodyV2DecodedPayload.data`.
public struct NotificationData: FieldModel {
  public var environment: AppStoreEnvironment?
  /// Apple's number of the app, which may be missing in the sandbox.
  public var appAppleID: Int?
  public var bundleID: String?
  public var bundleVersion: String?
  /// The state of the subscription when Apple signed the notification.
  public var status: SubscriptionStatus?
  public var consumptionRequestReason: ConsumptionRequestReason?
  /// The transaction, as a signed token of its own (see ``Transaction``).
  public var signedTransactionInfo: String?
  /// The renewal, as a signed token of its own (see ``RenewalInfo``).
  public var signedRenewalInfo: String?
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
  public var environment: AppStoreEnvironment?
  /// Apple's number of the app, which may be missing in the sandbox.
  public var appAppleID: Int?
  public var bundleID: String?
  /// The app transaction, as a signed token of its own (see ``AppTransaction``).
  public var signedAppTransactionInfo: String?
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
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let unintendedPurchase = Self(rawValue: "UNINTENDED_PURCHASE")
  /// The purchase was not delivered or does not work.
  public static let fulfillmentIssue = Self(rawValue: "FULFILLMENT_ISSUE")
  public static let unsatisfiedWithPurchase = Self(rawValue: "UNSATISFIED_WITH_PURCHASE")
  public static let legal = Self(rawValue: "LEGAL")
  public static let other = Self(rawValue: "OTHER")

  public static let allCases: [Self] = [
    unintendedPurchase, fulfillmentIssue, unsatisfiedWithPurchase, legal, other,
  ]
}
