public import JSONValues

/// When a change of a subscription takes effect.
///
/// Source: Apple, `effective`, Advanced Commerce API.
public struct AdvancedCommerceEffective: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// At once.
  public static let immediately = AdvancedCommerceEffective(rawValue: "IMMEDIATELY")
  /// When the next period is billed.
  public static let nextBillCycle = AdvancedCommerceEffective(rawValue: "NEXT_BILL_CYCLE")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceEffective] = [
    immediately, nextBillCycle,
  ]
}
