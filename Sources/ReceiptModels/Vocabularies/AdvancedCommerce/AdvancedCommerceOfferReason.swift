public import JSONValues

/// Why an offer is made.
///
/// Source: Apple, `reason` of an offer, Advanced Commerce API.
public struct AdvancedCommerceOfferReason: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// To win a customer.
  public static let acquisition = AdvancedCommerceOfferReason(rawValue: "ACQUISITION")
  /// To win a customer back.
  public static let winBack = AdvancedCommerceOfferReason(rawValue: "WIN_BACK")
  /// To keep a customer.
  public static let retention = AdvancedCommerceOfferReason(rawValue: "RETENTION")

  /// The values that Apple documents.
  public static let allCases: [AdvancedCommerceOfferReason] = [
    acquisition, winBack, retention,
  ]
}
