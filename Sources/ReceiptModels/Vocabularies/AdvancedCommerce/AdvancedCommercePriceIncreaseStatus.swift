public import JSONValues

/// How far the price increase of an item has come.
///
/// Source: Apple, `status` of a price increase, Advanced Commerce API.
public struct AdvancedCommercePriceIncreaseStatus: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// It is planned, and the customer has not been asked yet.
  public static let scheduled = AdvancedCommercePriceIncreaseStatus(rawValue: "SCHEDULED")
  /// The customer was asked and has not answered.
  public static let pending = AdvancedCommercePriceIncreaseStatus(rawValue: "PENDING")
  /// The customer consented, or was notified where consent is not needed.
  public static let accepted = AdvancedCommercePriceIncreaseStatus(rawValue: "ACCEPTED")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommercePriceIncreaseStatus] = [
    scheduled, pending, accepted,
  ]
}
