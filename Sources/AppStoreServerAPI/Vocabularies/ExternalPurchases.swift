internal import JSONValues
public import ReceiptModels

/// The content of a report of external purchases.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReportStatus: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Line items for the token.
  public static let lineItem = Self(rawValue: "LINE_ITEM")
  /// No purchase for the token.
  public static let noLineItem = Self(rawValue: "NO_LINE_ITEM")
  /// The server does not know the token.
  public static let unrecognizedToken = Self(rawValue: "UNRECOGNIZED_TOKEN")
  /// The server received the token before.
  public static let duplicateToken = Self(rawValue: "DUPLICATE_TOKEN")

  public static let allCases: [Self] = [lineItem, noLineItem, unrecognizedToken, duplicateToken]
}

/// The type of an external purchase event.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseEventType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let buy = Self(rawValue: "BUY")
  public static let refund = Self(rawValue: "REFUND")

  public static let allCases: [Self] = [buy, refund]
}

/// The type of an externally bought product.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseProductType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let oneTimeBuy = Self(rawValue: "ONE_TIME_BUY")
  public static let subscription = Self(rawValue: "SUBSCRIPTION")

  public static let allCases: [Self] = [oneTimeBuy, subscription]
}

/// The event of an external subscription.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseSubscriptionEvent: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let subscriptionStart = Self(rawValue: "SUBSCRIPTION_START")
  public static let renewal = Self(rawValue: "RENEWAL")
  public static let subscriptionChange = Self(rawValue: "SUBSCRIPTION_CHANGE")
  public static let subscriptionPayment = Self(rawValue: "SUBSCRIPTION_PAYMENT")

  public static let allCases: [Self] = [
    subscriptionStart, renewal, subscriptionChange, subscriptionPayment,
  ]
}
