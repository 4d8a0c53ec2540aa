public import JSONValues

/// The length of one period of an offer, as an ISO 8601 duration.
///
/// Source: Apple, `period` of an offer, Advanced Commerce API.
public struct AdvancedCommerceOfferPeriod: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// 3 days.
  public static let threeDays = AdvancedCommerceOfferPeriod(rawValue: "P3D")
  /// 7 days.
  public static let oneWeek = AdvancedCommerceOfferPeriod(rawValue: "P1W")
  /// 14 days.
  public static let twoWeeks = AdvancedCommerceOfferPeriod(rawValue: "P2W")
  /// 1 month.
  public static let oneMonth = AdvancedCommerceOfferPeriod(rawValue: "P1M")
  /// 2 months.
  public static let twoMonths = AdvancedCommerceOfferPeriod(rawValue: "P2M")
  /// 3 months.
  public static let threeMonths = AdvancedCommerceOfferPeriod(rawValue: "P3M")
  /// 6 months.
  public static let sixMonths = AdvancedCommerceOfferPeriod(rawValue: "P6M")
  /// 9 months.
  public static let nineMonths = AdvancedCommerceOfferPeriod(rawValue: "P9M")
  /// 1 year.
  public static let oneYear = AdvancedCommerceOfferPeriod(rawValue: "P1Y")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceOfferPeriod] = [
    threeDays, oneWeek, twoWeeks, oneMonth, twoMonths, threeMonths, sixMonths, nineMonths, oneYear,
  ]
}
