public import JSONValues

/// The length of a subscription period, as an ISO 8601 duration.
///
/// Source: Apple, `period`, Advanced Commerce API.
public struct AdvancedCommercePeriod: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// 7 days.
  public static let oneWeek = AdvancedCommercePeriod(rawValue: "P1W")
  public static let oneMonth = AdvancedCommercePeriod(rawValue: "P1M")
  public static let twoMonths = AdvancedCommercePeriod(rawValue: "P2M")
  public static let threeMonths = AdvancedCommercePeriod(rawValue: "P3M")
  public static let sixMonths = AdvancedCommercePeriod(rawValue: "P6M")
  public static let oneYear = AdvancedCommercePeriod(rawValue: "P1Y")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommercePeriod] = [
    oneWeek, oneMonth, twoMonths, threeMonths, sixMonths, oneYear,
  ]
}

/// A new period length for a subscription.
///
/// Source: Apple, `advancedCommerceSubscriptionModifyPeriodChange`.
public struct AdvancedCommercePeriodChange: FieldModel {
  /// The new length of a subscription period.
  public var period = AdvancedCommercePeriod(rawValue: "")
  /// The time at which the change takes effect.
  public var effective = AdvancedCommerceEffective(rawValue: "")

  /// Members that this version does not know.
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
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let immediately = AdvancedCommerceEffective(rawValue: "IMMEDIATELY")
  /// At the start of the next billing period.
  public static let nextBillCycle = AdvancedCommerceEffective(rawValue: "NEXT_BILL_CYCLE")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceEffective] = [
    immediately, nextBillCycle,
  ]
}
