internal import JSONValues
public import ReceiptModels

/// A product type to filter the transaction history by.
///
/// Source: Apple, `productType`.
public struct HistoryProductType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let autoRenewable = Self(rawValue: "AUTO_RENEWABLE")
  public static let nonRenewable = Self(rawValue: "NON_RENEWABLE")
  public static let consumable = Self(rawValue: "CONSUMABLE")
  public static let nonConsumable = Self(rawValue: "NON_CONSUMABLE")

  public static let allCases: [Self] = [autoRenewable, nonRenewable, consumable, nonConsumable]
}

/// The order of the transaction history, by the date of the last change.
///
/// Source: Apple, `sort`.
public struct HistorySort: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let ascending = Self(rawValue: "ASCENDING")
  public static let descending = Self(rawValue: "DESCENDING")

  public static let allCases: [Self] = [ascending, descending]
}

/// Whether an order belongs to the app.
///
/// Source: Apple, `OrderLookupStatus`.
public struct OrderLookupStatus: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The order is valid and has transactions of this app.
  public static let valid = Self(rawValue: 0)
  /// The order is not one of this app.
  public static let invalid = Self(rawValue: 1)

  public static let allCases: [Self] = [valid, invalid]
}

/// The reason for extending a subscription.
///
/// Source: Apple, `extendReasonCode`.
public struct ExtendReasonCode: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let undeclared = Self(rawValue: 0)
  public static let customerSatisfaction = Self(rawValue: 1)
  public static let other = Self(rawValue: 2)
  public static let serviceIssue = Self(rawValue: 3)

  public static let allCases: [Self] = [undeclared, customerSatisfaction, other, serviceIssue]
}
