public import JSONValues

/// The name and the description of a subscription that customers see.
///
/// Apple allows 45 characters for the description and 30 for the name in requests. Reading and
/// writing do not check this. Source: Apple, `advancedCommerceDescriptors`.
public struct AdvancedCommerceDescriptors: FieldModel {
  public var description: String = ""
  public var displayName: String = ""
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates descriptors.
  public init(description: String, displayName: String) {
    self.description = description
    self.displayName = displayName
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("description", &description)
    try coder.required("displayName", &displayName)
  }
}

/// New texts for a subscription.
///
/// A text that is nil stays unchanged. Source: Apple,
/// `advancedCommerceSubscriptionModifyDescriptors`.
public struct AdvancedCommerceDescriptorsChange: FieldModel {
  /// The new description, at most 45 characters.
  public var description: String?
  /// The new name, at most 30 characters.
  public var displayName: String?
  public var effective = AdvancedCommerceEffective(rawValue: "")
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a change without texts.
  public init(effective: AdvancedCommerceEffective) {
    self.effective = effective
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder("description", &description)
    try coder("displayName", &displayName)
    try coder.required("effective", &effective)
  }
}

/// The length of a subscription period, as an ISO 8601 duration.
///
/// Source: Apple, `period`, Advanced Commerce API.
public struct AdvancedCommercePeriod: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// 7 days.
  public static let oneWeek = Self(rawValue: "P1W")
  public static let oneMonth = Self(rawValue: "P1M")
  public static let twoMonths = Self(rawValue: "P2M")
  public static let threeMonths = Self(rawValue: "P3M")
  public static let sixMonths = Self(rawValue: "P6M")
  public static let oneYear = Self(rawValue: "P1Y")

  public static let allCases: [Self] = [
    oneWeek, oneMonth, twoMonths, threeMonths, sixMonths, oneYear,
  ]
}

/// A new period length for a subscription.
///
/// Source: Apple, `advancedCommerceSubscriptionModifyPeriodChange`.
public struct AdvancedCommercePeriodChange: FieldModel {
  public var period = AdvancedCommercePeriod(rawValue: "")
  public var effective = AdvancedCommerceEffective(rawValue: "")
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates a change.
  public init(period: AdvancedCommercePeriod, effective: AdvancedCommerceEffective) {
    self.period = period
    self.effective = effective
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("period", &period)
    try coder.required("effective", &effective)
  }
}

/// The time at which a change to a subscription takes effect.
///
/// Source: Apple, `effective`, Advanced Commerce API.
public struct AdvancedCommerceEffective: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let immediately = Self(rawValue: "IMMEDIATELY")
  public static let nextBillCycle = Self(rawValue: "NEXT_BILL_CYCLE")

  public static let allCases: [Self] = [immediately, nextBillCycle]
}

/// An offer that lowers the price of an item for some time.
///
/// Source: Apple, `advancedCommerceOffer`.
public struct AdvancedCommerceOffer: FieldModel {
  public var period = AdvancedCommerceOfferPeriod(rawValue: "")
  /// The number of periods of the offer; 1 to 12 in requests.
  public var periodCount: Int = 0
  /// The price of one period, in thousandths of the currency unit.
  public var price: Int = 0
  public var reason = AdvancedCommerceOfferReason(rawValue: "")
  public var additionalMembers: [String: JSONValue] = [:]
  package init() {}

  /// Creates an offer.
  public init(
    period: AdvancedCommerceOfferPeriod, periodCount: Int, price: Int,
    reason: AdvancedCommerceOfferReason
  ) {
    self.period = period
    self.periodCount = periodCount
    self.price = price
    self.reason = reason
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("period", &period)
    try coder.required("periodCount", &periodCount)
    try coder.required("price", &price)
    try coder.required("reason", &reason)
  }
}

/// The length of one period of an offer, as an ISO 8601 duration.
///
/// Source: Apple, `period` of an offer, Advanced Commerce API.
public struct AdvancedCommerceOfferPeriod: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let threeDays = Self(rawValue: "P3D")
  /// 7 days.
  public static let oneWeek = Self(rawValue: "P1W")
  /// 14 days.
  public static let twoWeeks = Self(rawValue: "P2W")
  public static let oneMonth = Self(rawValue: "P1M")
  public static let twoMonths = Self(rawValue: "P2M")
  public static let threeMonths = Self(rawValue: "P3M")
  public static let sixMonths = Self(rawValue: "P6M")
  public static let nineMonths = Self(rawValue: "P9M")
  public static let oneYear = Self(rawValue: "P1Y")

  public static let allCases: [Self] = [
    threeDays, oneWeek, twoWeeks, oneMonth, twoMonths, threeMonths, sixMonths, nineMonths, oneYear,
  ]
}

/// The reason for an offer.
///
/// Source: Apple, `reason` of an offer, Advanced Commerce API.
public struct AdvancedCommerceOfferReason: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let acquisition = Self(rawValue: "ACQUISITION")
  public static let winBack = Self(rawValue: "WIN_BACK")
  public static let retention = Self(rawValue: "RETENTION")

  public static let allCases: [Self] = [acquisition, winBack, retention]
}
