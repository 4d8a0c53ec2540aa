/// How often a membership is paid.
///
/// Source: contract on linking, sections 1.2 and 1.4.
public struct BillingCycle: StringVocabulary, FieldValue {
  /// The contract's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Every month.
  public static let month = BillingCycle(rawValue: "month")
  /// Every year.
  public static let year = BillingCycle(rawValue: "year")

  /// The values of the contract.
  public static let allCases: [BillingCycle] = [
    month, year,
  ]
}
