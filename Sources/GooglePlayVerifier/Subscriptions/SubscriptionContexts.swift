public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A user's accounts in the app, as the app named them at the purchase.
///
/// Source: Google Play Developer API, `ExternalAccountIdentifiers`.
public struct ExternalAccountIdentifiers: GoogleModel {
  public let json: JSONValue
  /// The identifier from linking accounts, only for Subscribe with Google.
  public let externalAccountID: String?
  /// The identifier of the account, as the app passed it to Google Play Billing.
  public let obfuscatedExternalAccountID: String?
  /// The identifier of the profile in the account, as the app passed it.
  public let obfuscatedExternalProfileID: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    externalAccountID = try members.text("externalAccountId")
    obfuscatedExternalAccountID = try members.text("obfuscatedExternalAccountId")
    obfuscatedExternalProfileID = try members.text("obfuscatedExternalProfileId")
    self.json = json
  }
}

/// The earlier subscription of a user who signed up again in Google's own pages.
///
/// Source: Google Play Developer API, `OutOfAppPurchaseContext`.
public struct OutOfAppPurchaseContext: GoogleModel {
  public let json: JSONValue
  /// The user's accounts in the earlier subscription.
  public let expiredExternalAccountIdentifiers: ExternalAccountIdentifiers?
  /// The purchase token of the earlier subscription.
  public let expiredPurchaseToken: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    expiredExternalAccountIdentifiers = try members.model("expiredExternalAccountIdentifiers")
    expiredPurchaseToken = try members.text("expiredPurchaseToken")
    self.json = json
  }
}

/// The end of a pause.
///
/// Source: Google Play Developer API, `PausedStateContext`.
public struct PausedStateContext: GoogleModel {
  public let json: JSONValue
  public let autoResumeTime: Date?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    autoResumeTime = try MemberReader(json).time("autoResumeTime")
    self.json = json
  }
}

/// A grace period.
///
/// Source: Google Play Developer API, `InGracePeriodStateContext`.
public struct InGracePeriodStateContext: GoogleModel {
  public let json: JSONValue
  /// The renewal whose payment was declined.
  public let renewalDeclined: RenewalDeclinedContext?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    renewalDeclined = try MemberReader(json).model("renewalDeclined")
    self.json = json
  }
}

/// An account hold.
///
/// Source: Google Play Developer API, `OnHoldStateContext`.
public struct OnHoldStateContext: GoogleModel {
  public let json: JSONValue
  /// The renewal whose payment was declined.
  public let renewalDeclined: RenewalDeclinedContext?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    renewalDeclined = try MemberReader(json).model("renewalDeclined")
    self.json = json
  }
}

/// A renewal whose payment was declined.
///
/// Source: Google Play Developer API, `RenewalDeclinedContext`.
public struct RenewalDeclinedContext: GoogleModel {
  public let json: JSONValue
  /// The ID of the order that is pending or failed.
  public let pendingOrderID: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    pendingOrderID = try MemberReader(json).text("pendingOrderId")
    self.json = json
  }
}

/// The Google account of a user of Subscribe with Google, as of the purchase.
///
/// Source: Google Play Developer API, `SubscribeWithGoogleInfo`.
public struct SubscribeWithGoogleInfo: GoogleModel {
  public let json: JSONValue
  public let profileID: String?
  public let profileName: String?
  public let emailAddress: String?
  public let givenName: String?
  public let familyName: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    profileID = try members.text("profileId")
    profileName = try members.text("profileName")
    emailAddress = try members.text("emailAddress")
    givenName = try members.text("givenName")
    familyName = try members.text("familyName")
    self.json = json
  }
}

/// A cancellation.
///
/// Source: Google Play Developer API, `CanceledStateContext`.
public struct CanceledStateContext: GoogleModel {
  public let json: JSONValue
  /// The party that canceled; nil for a party that this version does not know.
  public let initiator: Initiator?
  public let userCancelTime: Date?
  /// The user's answer to Google's question for the reason.
  public let cancelSurveyResult: CancelSurveyResult?

  /// A party that canceled a subscription.
  public enum Initiator: Hashable, Sendable {
    case user
    /// Google, for example because a payment failed.
    case system
    case developer
    /// The user, by buying another subscription in place of this one.
    case replacement
  }

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    let user: UserInitiatedCancellation? = try members.model("userInitiatedCancellation")
    let isOfSystem = try members.hasObject("systemInitiatedCancellation")
    let isOfDeveloper = try members.hasObject("developerInitiatedCancellation")
    let isReplacement = try members.hasObject("replacementCancellation")
    userCancelTime = user?.cancelTime
    cancelSurveyResult = user?.cancelSurveyResult
    if user != nil {
      initiator = .user
    } else if isOfSystem {
      initiator = .system
    } else if isOfDeveloper {
      initiator = .developer
    } else {
      initiator = isReplacement ? .replacement : nil
    }
    self.json = json
  }
}

/// A cancellation by the user.
private struct UserInitiatedCancellation: GoogleModel {
  let json: JSONValue
  let cancelTime: Date?
  let cancelSurveyResult: CancelSurveyResult?

  init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    cancelTime = try members.time("cancelTime")
    cancelSurveyResult = try members.model("cancelSurveyResult")
    self.json = json
  }
}

/// A user's answer to the question why they cancel.
///
/// Source: Google Play Developer API, `CancelSurveyResult`.
public struct CancelSurveyResult: GoogleModel {
  public let json: JSONValue
  public let reason: Reason?
  /// The user's own words; only for ``Reason/others``.
  public let reasonUserInput: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    reason = try members.value("reason")
    reasonUserInput = try members.text("reasonUserInput")
    self.json = json
  }

  /// A reason that Google offers.
  public struct Reason: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "CANCEL_SURVEY_REASON_UNSPECIFIED")
    public static let notEnoughUsage = Self(rawValue: "CANCEL_SURVEY_REASON_NOT_ENOUGH_USAGE")
    public static let technicalIssues = Self(rawValue: "CANCEL_SURVEY_REASON_TECHNICAL_ISSUES")
    public static let costRelated = Self(rawValue: "CANCEL_SURVEY_REASON_COST_RELATED")
    public static let foundBetterApp = Self(rawValue: "CANCEL_SURVEY_REASON_FOUND_BETTER_APP")
    public static let others = Self(rawValue: "CANCEL_SURVEY_REASON_OTHERS")

    public static let allCases: [Self] = [
      unspecified, notEnoughUsage, technicalIssues, costRelated, foundBetterApp, others,
    ]
  }
}

/// Whether a purchase was acknowledged.
///
/// Google refunds a purchase that is not acknowledged within three days. Source: Google Play Developer
/// API, `AcknowledgementState`.
public struct AcknowledgementState: StringVocabulary {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let unspecified = Self(rawValue: "ACKNOWLEDGEMENT_STATE_UNSPECIFIED")
  public static let pending = Self(rawValue: "ACKNOWLEDGEMENT_STATE_PENDING")
  public static let acknowledged = Self(rawValue: "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED")

  public static let allCases: [Self] = [unspecified, pending, acknowledged]
}
