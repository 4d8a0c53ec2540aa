public import JSONValues

/// Why an item of a subscription is changed.
///
/// Source: Apple, `reason` of a change, Advanced Commerce API.
public struct AdvancedCommerceReason: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// To something higher.
  public static let upgrade = AdvancedCommerceReason(rawValue: "UPGRADE")
  /// To something lower.
  public static let downgrade = AdvancedCommerceReason(rawValue: "DOWNGRADE")
  /// To apply an offer.
  public static let applyOffer = AdvancedCommerceReason(rawValue: "APPLY_OFFER")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceReason] = [
    upgrade, downgrade, applyOffer,
  ]
}
