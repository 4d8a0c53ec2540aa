public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The signed payload of a server notification of version 2.
///
/// It has exactly one of ``data``, ``summary``, ``externalPurchaseToken`` and ``appData``, which is
/// checked on verification but not here. A decoded value alone proves nothing: services take the
/// verified form. Source: Apple, `responseBodyV2DecodedPayload`.
public struct ServerNotification: FieldModel {
  public var notificationType: NotificationType?
  public var subtype: NotificationSubtype?
  /// The identifier of the notification, which stays the same if Apple sends it again.
  public var notificationUUID: String?
  /// The version of this format, `2.0`.
  public var version: String?
  public var signedDate: Date?
  public var data: NotificationData?
  public var summary: NotificationSummary?
  public var externalPurchaseToken: ExternalPurchaseToken?
  public var appData: NotificationAppData?
  public var additionalMembers: [String: JSONValue] = [:]
  public init() {}

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("notificationType", &notificationType)
    try coder("subtype", &subtype)
    try coder("notificationUUID", &notificationUUID)
    try coder("version", &version)
    try coder("signedDate", &signedDate)
    try coder("data", &data)
    try coder("summary", &summary)
    try coder("externalPurchaseToken", &externalPurchaseToken)
    try coder("appData", &appData)
  }
}

/// The body of a request from Apple.
///
/// Server notifications of version 2 and real-time requests have this form. Decoding does not
/// verify the text inside. Source: Apple, `responseBodyV2` and `RealtimeRequestBody`.
package struct SignedPayloadBody: FieldModel {
  package var signedPayload: String = ""
  package var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a body with a signed token.
  package init(signedPayload: String) {
    self.signedPayload = signedPayload
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("signedPayload", &signedPayload)
  }
}

/// The event of one customer in a server notification.
///
/// Decoding does not verify the signed texts inside. Source: Apple,
/// `responseBodyV2DecodedPayload.data`.
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
/// Decoding does not verify the signed text inside. Source: Apple,
/// `responseBodyV2DecodedPayload.appData`.
public struct NotificationAppData: FieldModel {
  public var environment: AppStoreEnvironment?
  /// Apple's number of the app, which may be missing in the sandbox.
  public var appAppleID: Int?
  public var bundleID: String?
  /// The app transaction, as a signed token of its own (see ``AppTransaction``).
  public var signedAppTransactionInfo: String?
  public var additionalMembers: [String: JSONValue] = [:]
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

/// The token for external purchases in a server notification.
///
/// It has no `environment`: an ``externalPurchaseID`` that begins with `SANDBOX` belongs to the
/// sandbox, and any other to Production. Source: Apple,
/// `responseBodyV2DecodedPayload.externalPurchaseToken`.
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
/// Japan but are not documented; they are unknown values. Source: Apple, `tokenType`.
public struct ExternalPurchaseTokenType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A token for the fee on acquiring customers.
  public static let acquisition = Self(rawValue: "ACQUISITION")
  /// A token for the fee on the services of the store.
  public static let services = Self(rawValue: "SERVICES")

  public static let allCases: [Self] = [acquisition, services]
}
