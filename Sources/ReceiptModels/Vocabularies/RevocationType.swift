public import JSONValues

/// How far Apple took a purchase back.
///
/// Source: Apple, `revocationType`.
public struct RevocationType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Refunded in full.
  public static let refundFull = RevocationType(rawValue: "REFUND_FULL")
  /// Refunded in part.
  public static let refundProrated = RevocationType(rawValue: "REFUND_PRORATED")
  /// No longer shared by the family.
  public static let familyRevoke = RevocationType(rawValue: "FAMILY_REVOKE")

  /// The values that Apple documents.
  public static let allCases: [RevocationType] = [
    refundFull, refundProrated, familyRevoke,
  ]
}
