public import JSONValues
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A plan that renews.
///
/// Source: Google Play Developer API, `AutoRenewingPlan`.
public struct AutoRenewingPlan: GoogleModel {
  public let json: JSONValue
  /// Whether the plan renews at its expiry; Google leaves `false` out.
  public let autoRenewEnabled: Bool
  /// The price of a renewal, without offers.
  public let recurringPrice: PlayMoney?
  public let priceChangeDetails: PriceChangeDetails?
  /// The latest price step that needs the user's consent.
  public let priceStepUpConsentDetails: PriceStepUpConsentDetails?
  /// The payments that the user is committed to; only for a plan of instalments.
  public let installmentDetails: InstallmentPlan?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    autoRenewEnabled = try members.flag("autoRenewEnabled") ?? false
    recurringPrice = try members.model("recurringPrice")
    priceChangeDetails = try members.model("priceChangeDetails")
    priceStepUpConsentDetails = try members.model("priceStepUpConsentDetails")
    installmentDetails = try members.model("installmentDetails")
    self.json = json
  }
}

/// A plan that the user pays in advance and tops up.
///
/// Source: Google Play Developer API, `PrepaidPlan`.
public struct PrepaidPlan: GoogleModel {
  public let json: JSONValue
  /// The time from which the user may top up; nil if that is possible now, or never.
  public let allowExtendAfterTime: Date?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    allowExtendAfterTime = try MemberReader(json).time("allowExtendAfterTime")
    self.json = json
  }
}

/// A commitment to several payments.
///
/// Source: Google Play Developer API, `InstallmentPlan`.
public struct InstallmentPlan: GoogleModel {
  public let json: JSONValue
  /// The number of payments that the user committed to at the signup.
  public let initialCommittedPaymentsCount: Int?
  /// The number of payments that are still to be made in this commitment.
  public let remainingCommittedPaymentsCount: Int?
  /// The number of payments of each further commitment; nil if the plan then renews as others do.
  public let subsequentCommittedPaymentsCount: Int?
  /// Whether the plan ends with the last payment of this commitment.
  public let isPendingCancellation: Bool

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    initialCommittedPaymentsCount = try members.int64("initialCommittedPaymentsCount")
    remainingCommittedPaymentsCount = try members.int64("remainingCommittedPaymentsCount")
    subsequentCommittedPaymentsCount = try members.int64("subsequentCommittedPaymentsCount")
    isPendingCancellation = try members.hasObject("pendingCancellation")
    self.json = json
  }
}

/// A change of a price.
///
/// Source: Google Play Developer API, `SubscriptionItemPriceChangeDetails`.
public struct PriceChangeDetails: GoogleModel {
  public let json: JSONValue
  public let newPrice: PlayMoney?
  public let priceChangeMode: PriceChangeMode?
  public let priceChangeState: PriceChangeState?
  /// The time of the renewal that has the new price; nil once it is paid.
  public let expectedNewPriceChargeTime: Date?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    newPrice = try members.model("newPrice")
    priceChangeMode = try members.value("priceChangeMode")
    priceChangeState = try members.value("priceChangeState")
    expectedNewPriceChargeTime = try members.time("expectedNewPriceChargeTime")
    self.json = json
  }

  /// The direction of a change, and whether the user has to agree.
  public struct PriceChangeMode: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "PRICE_CHANGE_MODE_UNSPECIFIED")
    public static let decrease = Self(rawValue: "PRICE_DECREASE")
    /// A higher price, to which the user has to agree.
    public static let increase = Self(rawValue: "PRICE_INCREASE")
    /// A higher price, unless the user cancels.
    public static let optOutIncrease = Self(rawValue: "OPT_OUT_PRICE_INCREASE")

    public static let allCases: [Self] = [unspecified, decrease, increase, optOutIncrease]
  }

  /// The state of a change.
  public struct PriceChangeState: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "PRICE_CHANGE_STATE_UNSPECIFIED")
    /// The user has not agreed yet.
    public static let outstanding = Self(rawValue: "OUTSTANDING")
    /// The change will happen.
    public static let confirmed = Self(rawValue: "CONFIRMED")
    /// The user pays the new price.
    public static let applied = Self(rawValue: "APPLIED")
    public static let canceled = Self(rawValue: "CANCELED")

    public static let allCases: [Self] = [unspecified, outstanding, confirmed, applied, canceled]
  }
}

/// A step of a price that needs the user's consent.
///
/// Source: Google Play Developer API, `PriceStepUpConsentDetails`.
public struct PriceStepUpConsentDetails: GoogleModel {
  public let json: JSONValue
  public let newPrice: PlayMoney?
  public let state: ConsentState?
  /// The time at which Google cancels the subscription of a user who has not agreed.
  public let consentDeadlineTime: Date?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    newPrice = try members.model("newPrice")
    state = try members.value("state")
    consentDeadlineTime = try members.time("consentDeadlineTime")
    self.json = json
  }

  /// The state of a consent.
  public struct ConsentState: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "CONSENT_STATE_UNSPECIFIED")
    public static let pending = Self(rawValue: "PENDING")
    /// The user has agreed, and the new price is not paid yet.
    public static let confirmed = Self(rawValue: "CONFIRMED")
    /// The user has agreed, and pays the new price.
    public static let completed = Self(rawValue: "COMPLETED")

    public static let allCases: [Self] = [unspecified, pending, confirmed, completed]
  }
}

/// An amount of money, never a binary floating point value.
///
/// Source: Google APIs, `google.type.Money`.
public struct PlayMoney: GoogleModel {
  public let json: JSONValue
  /// The currency (ISO 4217).
  public let currencyCode: String?
  /// The whole units of the currency.
  public let units: Int
  /// The billionths of a unit, of the sign of the units.
  public let nanos: Int

  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    currencyCode = try members.text("currencyCode")
    units = try members.int64("units") ?? 0
    nanos = try members.int64("nanos") ?? 0
    self.json = json
  }
}
