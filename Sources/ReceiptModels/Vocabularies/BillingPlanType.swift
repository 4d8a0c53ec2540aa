public import JSONValues

/// How a subscription with a commitment is billed.
///
/// Also the type of `renewalBillingPlanType` and `commitmentRenewalBillingPlanType`.
///
/// Source: Apple, `billingPlanType`.
public struct BillingPlanType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// At once for the whole commitment.
  public static let billedUpfront = BillingPlanType(rawValue: "BILLED_UPFRONT")
  /// Month by month.
  public static let monthly = BillingPlanType(rawValue: "MONTHLY")

  /// The values that Apple documents.
  public static let allCases: [BillingPlanType] = [
    billedUpfront, monthly,
  ]
}
