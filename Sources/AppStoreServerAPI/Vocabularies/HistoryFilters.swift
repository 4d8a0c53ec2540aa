internal import JSONValues
public import ReceiptModels

/// A product type to filter the transaction history by.
///
/// Source: Apple, `productType`.
public struct HistoryProductType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Auto-renewable subscriptions.
  public static let autoRenewable = HistoryProductType(rawValue: "AUTO_RENEWABLE")
  /// Non-renewing subscriptions.
  public static let nonRenewable = HistoryProductType(rawValue: "NON_RENEWABLE")
  /// Consumables.
  public static let consumable = HistoryProductType(rawValue: "CONSUMABLE")
  /// Non-consumables.
  public static let nonConsumable = HistoryProductType(rawValue: "NON_CONSUMABLE")

  /// The values that Apple documents.
  public static let allCases: [HistoryProductType] = [
    autoRenewable, nonRenewable, consumable, nonConsumable,
  ]
}

/// The order of the transaction history, by the date of the last change.
///
/// Source: Apple, `sort`.
public struct HistorySort: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The oldest change first.
  public static let ascending = HistorySort(rawValue: "ASCENDING")
  /// The newest change first.
  public static let descending = HistorySort(rawValue: "DESCENDING")

  /// The values that Apple documents.
  public static let allCases: [HistorySort] = [
    ascending, descending,
  ]
}
