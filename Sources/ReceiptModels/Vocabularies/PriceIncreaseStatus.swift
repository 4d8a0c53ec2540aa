public import JSONValues

/// Whether the customer consented to a higher price.
///
/// Source: Apple, `priceIncreaseStatus`.
public struct PriceIncreaseStatus: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Takes any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The customer was asked and has not answered.
  public static let notAnswered = PriceIncreaseStatus(rawValue: 0)
  /// The customer consented, or was notified where consent is not needed.
  public static let consented = PriceIncreaseStatus(rawValue: 1)

  /// The values that Apple documents.
  public static let allCases: [PriceIncreaseStatus] = [
    notAnswered, consented,
  ]
}
