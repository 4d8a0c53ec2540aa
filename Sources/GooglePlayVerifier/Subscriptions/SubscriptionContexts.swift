public import JSONValues

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

/// A cancellation.
///
/// Source: Google Play Developer API, `CanceledStateContext`.
public struct CanceledStateContext: GoogleModel {
  /// The value as it came, with the answers of a survey if there are any.
  public let json: JSONValue
  /// The party that canceled; nil for a party that this version does not know.
  public let initiator: Initiator?
  public let userCancelTime: Date?

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
    userCancelTime = user?.cancelTime
    if user != nil {
      initiator = .user
    } else if try members.hasObject("systemInitiatedCancellation") {
      initiator = .system
    } else if try members.hasObject("developerInitiatedCancellation") {
      initiator = .developer
    } else if try members.hasObject("replacementCancellation") {
      initiator = .replacement
    } else {
      initiator = nil
    }
    self.json = json
  }
}

/// A cancellation by the user.
private struct UserInitiatedCancellation: GoogleModel {
  let json: JSONValue
  let cancelTime: Date?

  init(json: JSONValue) throws(FieldTypeFailure) {
    cancelTime = try MemberReader(json).time("cancelTime")
    self.json = json
  }
}

/// Whether a purchase was acknowledged.
///
/// Google refunds a purchase that is not acknowledged within three days. The set of states is open:
/// unknown ones are kept. Source: Google Play Developer API, `AcknowledgementState`.
public struct AcknowledgementState: RawRepresentable, Hashable, Sendable {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let pending = Self(rawValue: "ACKNOWLEDGEMENT_STATE_PENDING")
  public static let acknowledged = Self(rawValue: "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED")
}
