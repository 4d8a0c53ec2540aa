public import JSONValues

/// Why Apple took a purchase back.
///
/// Source: Apple, `revocationReason`.
public struct RevocationReason: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Takes any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Refunded for a reason that lies outside of the app.
  public static let other = RevocationReason(rawValue: 0)
  /// Refunded because of an issue in the app.
  public static let issueInApp = RevocationReason(rawValue: 1)

  /// The values that Apple documents.
  public static let allCases: [RevocationReason] = [
    other, issueInApp,
  ]
}
