internal import JSONValues
public import ReceiptModels

/// Whether an order belongs to the app.
///
/// Source: Apple, `OrderLookupStatus`.
public struct OrderLookupStatus: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The order is valid and has transactions of this app.
  public static let valid = OrderLookupStatus(rawValue: 0)
  /// The order is not one of this app.
  public static let invalid = OrderLookupStatus(rawValue: 1)

  /// The values that Apple documents.
  public static let allCases: [OrderLookupStatus] = [
    valid, invalid,
  ]
}
