public import JSONValues

/// A new period length for a subscription.
///
/// Source: Apple, `advancedCommerceSubscriptionModifyPeriodChange`.
public struct AdvancedCommercePeriodChange: FieldModel {
  /// The new length of a subscription period.
  public var period = AdvancedCommercePeriod(rawValue: "")
  /// When the change takes effect.
  public var effective = AdvancedCommerceEffective(rawValue: "")

  /// Members that this version does not know.
  public var additionalMembers: [String: JSONValue] = [:]

  package init() {}

  /// A change.
  public init(period: AdvancedCommercePeriod, effective: AdvancedCommerceEffective) {
    self.period = period
    self.effective = effective
  }

  package mutating func fields(_ coder: inout FieldCoder) throws(FieldTypeFailure) {
    try coder.required("period", &period)
    try coder.required("effective", &effective)
  }
}
