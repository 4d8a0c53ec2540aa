public import JSONValues

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
