public import JSONValues
public import ReceiptModels

/// A base plan of a subscription product: a period with a price, and the way in which it goes on.
///
/// Source: Google Play Developer API, `BasePlan`.
public struct BasePlan: GoogleModel {
  public let json: JSONValue
  public let basePlanID: String
  /// The state; only an active plan can be bought.
  public let state: State?
  /// The terms of a plan that renews; nil for another one.
  public let autoRenewing: AutoRenewing?
  /// The terms of a plan with a commitment to several payments; nil for another one.
  public let installments: Installments?
  /// The terms of a plan that is paid in advance; nil for another one.
  public let prepaid: Prepaid?
  /// The prices, one for each country.
  public let regionalConfigs: [RegionalConfig]
  /// The prices in countries where Google Play begins to sell; nil if the plan is not sold there.
  public let otherRegionsConfig: OtherRegionsConfig?
  /// The developer's tags, without a meaning for Google.
  public let offerTags: [OfferTag]

  /// Creates the value from its JSON form.
  ///
  /// - Throws: `FieldTypeFailure`; only the plan's identifier is required.
  public init(json: JSONValue) throws(FieldTypeFailure) {
    let members = try MemberReader(json)
    basePlanID = try members.requiredText("basePlanId")
    state = try members.value("state")
    autoRenewing = try members.model("autoRenewingBasePlanType")
    installments = try members.model("installmentsBasePlanType")
    prepaid = try members.model("prepaidBasePlanType")
    regionalConfigs = try members.models("regionalConfigs")
    otherRegionsConfig = try members.model("otherRegionsConfig")
    offerTags = try members.models("offerTags")
    self.json = json
  }

  /// The length of a billing period (ISO 8601), such as `P1M`; nil for a plan of an unknown type.
  public var billingPeriod: String? {
    autoRenewing?.billingPeriodDuration ?? installments?.billingPeriodDuration
      ?? prepaid?.billingPeriodDuration
  }

  /// The state of a base plan.
  public struct State: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "STATE_UNSPECIFIED")
    /// The plan was not for sale yet.
    public static let draft = Self(rawValue: "DRAFT")
    public static let active = Self(rawValue: "ACTIVE")
    /// The plan is for sale no more; who has it keeps it.
    public static let inactive = Self(rawValue: "INACTIVE")

    public static let allCases: [Self] = [unspecified, draft, active, inactive]
  }
}

extension BasePlan {
  /// The terms of a base plan that renews.
  ///
  /// Source: Google Play Developer API, `AutoRenewingBasePlanType`.
  public struct AutoRenewing: GoogleModel {
    public let json: JSONValue
    /// The length of a billing period (ISO 8601), such as `P1M`.
    public let billingPeriodDuration: String?
    /// The length of the grace period (ISO 8601), such as `P7D`.
    public let gracePeriodDuration: String?
    /// The length of the account hold (ISO 8601), such as `P30D`.
    public let accountHoldDuration: String?
    /// Whether apps can buy the plan that know no base plans.
    public let isLegacyCompatible: Bool
    /// The offer that such apps can buy.
    public let legacyCompatibleSubscriptionOfferID: String?
    public let prorationMode: ProrationMode?
    /// Whether users can subscribe again in Google Play.
    public let resubscribeState: ResubscribeState?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      billingPeriodDuration = try members.text("billingPeriodDuration")
      gracePeriodDuration = try members.text("gracePeriodDuration")
      accountHoldDuration = try members.text("accountHoldDuration")
      isLegacyCompatible = try members.flag("legacyCompatible") ?? false
      legacyCompatibleSubscriptionOfferID = try members.text("legacyCompatibleSubscriptionOfferId")
      prorationMode = try members.value("prorationMode")
      resubscribeState = try members.value("resubscribeState")
      self.json = json
    }
  }

  /// The terms of a base plan with a commitment to several payments.
  ///
  /// Source: Google Play Developer API, `InstallmentsBasePlanType`.
  public struct Installments: GoogleModel {
    public let json: JSONValue
    /// The length of a billing period (ISO 8601), such as `P1M`.
    public let billingPeriodDuration: String?
    /// The length of the grace period (ISO 8601), such as `P7D`.
    public let gracePeriodDuration: String?
    /// The length of the account hold (ISO 8601), such as `P30D`.
    public let accountHoldDuration: String?
    /// The number of payments to which a user commits.
    public let committedPaymentsCount: Int?
    /// Whether the commitment begins anew after its last payment.
    public let renewalType: RenewalType?
    public let prorationMode: ProrationMode?
    /// Whether users can subscribe again in Google Play.
    public let resubscribeState: ResubscribeState?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      billingPeriodDuration = try members.text("billingPeriodDuration")
      gracePeriodDuration = try members.text("gracePeriodDuration")
      accountHoldDuration = try members.text("accountHoldDuration")
      committedPaymentsCount = try members.int64("committedPaymentsCount")
      renewalType = try members.value("renewalType")
      prorationMode = try members.value("prorationMode")
      resubscribeState = try members.value("resubscribeState")
      self.json = json
    }

    /// The way in which a plan goes on after the commitment.
    public struct RenewalType: StringVocabulary {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let unspecified = Self(rawValue: "RENEWAL_TYPE_UNSPECIFIED")
      public static let withoutCommitment = Self(rawValue: "RENEWAL_TYPE_RENEWS_WITHOUT_COMMITMENT")
      public static let withCommitment = Self(rawValue: "RENEWAL_TYPE_RENEWS_WITH_COMMITMENT")

      public static let allCases: [Self] = [unspecified, withoutCommitment, withCommitment]
    }
  }

  /// The terms of a base plan that is paid in advance.
  ///
  /// Source: Google Play Developer API, `PrepaidBasePlanType`.
  public struct Prepaid: GoogleModel {
    public let json: JSONValue
    /// The length of the paid time (ISO 8601), such as `P1M`.
    public let billingPeriodDuration: String?
    /// Whether users can top up before the end.
    public let timeExtension: TimeExtension?

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      billingPeriodDuration = try members.text("billingPeriodDuration")
      timeExtension = try members.value("timeExtension")
      self.json = json
    }

    /// Whether users can top up before the end.
    public struct TimeExtension: StringVocabulary {
      public var rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }

      public static let unspecified = Self(rawValue: "TIME_EXTENSION_UNSPECIFIED")
      public static let active = Self(rawValue: "TIME_EXTENSION_ACTIVE")
      public static let inactive = Self(rawValue: "TIME_EXTENSION_INACTIVE")

      public static let allCases: [Self] = [unspecified, active, inactive]
    }
  }

  /// The time at which a user pays who changes to a plan.
  public struct ProrationMode: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "SUBSCRIPTION_PRORATION_MODE_UNSPECIFIED")
    public static let nextBillingDate = Self(
      rawValue: "SUBSCRIPTION_PRORATION_MODE_CHARGE_ON_NEXT_BILLING_DATE")
    public static let immediately = Self(
      rawValue: "SUBSCRIPTION_PRORATION_MODE_CHARGE_FULL_PRICE_IMMEDIATELY")

    public static let allCases: [Self] = [unspecified, nextBillingDate, immediately]
  }

  /// Whether users can subscribe again in Google Play.
  public struct ResubscribeState: StringVocabulary {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let unspecified = Self(rawValue: "RESUBSCRIBE_STATE_UNSPECIFIED")
    public static let active = Self(rawValue: "RESUBSCRIBE_STATE_ACTIVE")
    public static let inactive = Self(rawValue: "RESUBSCRIBE_STATE_INACTIVE")

    public static let allCases: [Self] = [unspecified, active, inactive]
  }

  /// The price of a base plan in a country.
  ///
  /// Source: Google Play Developer API, `RegionalBasePlanConfig`.
  public struct RegionalConfig: GoogleModel {
    public let json: JSONValue
    /// The country (ISO 3166-1, two letters).
    public let regionCode: String?
    public let price: PlayMoney?
    /// Whether new users can subscribe there; Google leaves `false` out.
    public let newSubscriberAvailability: Bool

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      regionCode = try members.text("regionCode")
      price = try members.model("price")
      newSubscriberAvailability = try members.flag("newSubscriberAvailability") ?? false
      self.json = json
    }
  }

  /// The prices of a base plan in countries where Google Play begins to sell.
  ///
  /// Source: Google Play Developer API, `OtherRegionsBasePlanConfig`.
  public struct OtherRegionsConfig: GoogleModel {
    public let json: JSONValue
    public let usdPrice: PlayMoney?
    public let eurPrice: PlayMoney?
    /// Whether new users can subscribe there; Google leaves `false` out.
    public let newSubscriberAvailability: Bool

    public init(json: JSONValue) throws(FieldTypeFailure) {
      let members = try MemberReader(json)
      usdPrice = try members.model("usdPrice")
      eurPrice = try members.model("eurPrice")
      newSubscriberAvailability = try members.flag("newSubscriberAvailability") ?? false
      self.json = json
    }
  }
}

/// A tag of the developer's, which apps see beside an offer.
///
/// Source: Google Play Developer API, `OfferTag`.
public struct OfferTag: GoogleModel {
  public let json: JSONValue
  public let tag: String?

  public init(json: JSONValue) throws(FieldTypeFailure) {
    tag = try MemberReader(json).text("tag")
    self.json = json
  }
}
