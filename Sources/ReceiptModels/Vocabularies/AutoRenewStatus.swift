public import JSONValues

/// Whether a subscription will renew by itself.
///
/// Source: Apple, `autoRenewStatus`.
public struct AutoRenewStatus: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Takes any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// It ends with the period.
  public static let off = AutoRenewStatus(rawValue: 0)
  /// It renews.
  public static let on = AutoRenewStatus(rawValue: 1)

  /// The values that Apple documents.
  public static let allCases: [AutoRenewStatus] = [
    off, on,
  ]
}
