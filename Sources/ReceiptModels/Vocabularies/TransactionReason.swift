public import JSONValues

/// Whether a customer or the renewal caused a transaction.
///
/// Source: Apple, `transactionReason`.
public struct TransactionReason: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The customer bought it.
  public static let purchase = TransactionReason(rawValue: "PURCHASE")
  /// Apple renewed it.
  public static let renewal = TransactionReason(rawValue: "RENEWAL")

  /// The values that Apple documents.
  public static let allCases: [TransactionReason] = [
    purchase, renewal,
  ]
}
