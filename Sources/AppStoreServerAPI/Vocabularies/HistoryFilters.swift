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
  public static let consumable = HistoryProductType(rawValue: "CONSUMABLE")
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

/// The reason for extending a subscription.
///
/// Source: Apple, `extendReasonCode`.
public struct ExtendReasonCode: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No reason is given.
  public static let undeclared = ExtendReasonCode(rawValue: 0)
  /// The customer was not satisfied.
  public static let customerSatisfaction = ExtendReasonCode(rawValue: 1)
  /// Any other reason.
  public static let other = ExtendReasonCode(rawValue: 2)
  /// The service had an issue or an outage.
  public static let serviceIssue = ExtendReasonCode(rawValue: 3)

  /// The values that Apple documents.
  public static let allCases: [ExtendReasonCode] = [
    undeclared, customerSatisfaction, other, serviceIssue,
  ]
}
