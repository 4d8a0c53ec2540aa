public import JSONValues

/// The length of a subscription period, as an ISO 8601 duration.
///
/// Source: Apple, `period`, Advanced Commerce API.
public struct AdvancedCommercePeriod: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// 7 days.
  public static let oneWeek = AdvancedCommercePeriod(rawValue: "P1W")
  /// 1 month.
  public static let oneMonth = AdvancedCommercePeriod(rawValue: "P1M")
  /// 2 months.
  public static let twoMonths = AdvancedCommercePeriod(rawValue: "P2M")
  /// 3 months.
  public static let threeMonths = AdvancedCommercePeriod(rawValue: "P3M")
  /// 6 months.
  public static let sixMonths = AdvancedCommercePeriod(rawValue: "P6M")
  /// 1 year.
  public static let oneYear = AdvancedCommercePeriod(rawValue: "P1Y")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommercePeriod] = [
    oneWeek, oneMonth, twoMonths, threeMonths, sixMonths, oneYear,
  ]
}
