public import JSONValues

/// How much of an item is refunded.
///
/// Source: Apple, `refundType`, Advanced Commerce API.
public struct AdvancedCommerceRefundType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// All of it.
  public static let full = AdvancedCommerceRefundType(rawValue: "FULL")
  /// The part for the time that was not used.
  public static let prorated = AdvancedCommerceRefundType(rawValue: "PRORATED")
  /// An amount that the request names.
  public static let custom = AdvancedCommerceRefundType(rawValue: "CUSTOM")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceRefundType] = [
    full, prorated, custom,
  ]
}
