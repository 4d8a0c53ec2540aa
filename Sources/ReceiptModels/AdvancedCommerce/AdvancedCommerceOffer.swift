public import JSONValues

/// An offer that lowers the price of an item for some time.
///
/// Source: Apple, `advancedCommerceOffer`.
public struct AdvancedCommerceOffer: FieldModel {
  /// The length of one period of the offer.
  public var period = AdvancedCommerceOfferPeriod(rawValue: "")
  /// The number of periods of the offer; 1 to 12 in requests.
  public var periodCount: Int = 0
  /// The price of one period, in thousandths of the currency unit.
  public var price: Int = 0
  public var reason = AdvancedCommerceOfferReason(rawValue: "")

  /// Members that this version does not know.
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
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let threeDays = AdvancedCommerceOfferPeriod(rawValue: "P3D")
  /// 7 days.
  public static let oneWeek = AdvancedCommerceOfferPeriod(rawValue: "P1W")
  /// 14 days.
  public static let twoWeeks = AdvancedCommerceOfferPeriod(rawValue: "P2W")
  public static let oneMonth = AdvancedCommerceOfferPeriod(rawValue: "P1M")
  public static let twoMonths = AdvancedCommerceOfferPeriod(rawValue: "P2M")
  public static let threeMonths = AdvancedCommerceOfferPeriod(rawValue: "P3M")
  public static let sixMonths = AdvancedCommerceOfferPeriod(rawValue: "P6M")
  public static let nineMonths = AdvancedCommerceOfferPeriod(rawValue: "P9M")
  public static let oneYear = AdvancedCommerceOfferPeriod(rawValue: "P1Y")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceOfferPeriod] = [
    threeDays, oneWeek, twoWeeks, oneMonth, twoMonths, threeMonths, sixMonths, nineMonths, oneYear,
  ]
}

/// The reason for an offer.
///
/// Source: Apple, `reason` of an offer, Advanced Commerce API.
public struct AdvancedCommerceOfferReason: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// An offer to win a customer.
  public static let acquisition = AdvancedCommerceOfferReason(rawValue: "ACQUISITION")
  /// An offer to win back a customer.
  public static let winBack = AdvancedCommerceOfferReason(rawValue: "WIN_BACK")
  /// An offer to keep a customer.
  public static let retention = AdvancedCommerceOfferReason(rawValue: "RETENTION")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceOfferReason] = [
    acquisition, winBack, retention,
  ]
}
