public import JSONValues

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
