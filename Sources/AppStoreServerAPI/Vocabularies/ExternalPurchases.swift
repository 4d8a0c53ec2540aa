internal import JSONValues
public import ReceiptModels

/// The content of a report of external purchases.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseReportStatus: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Line items for the token.
  public static let lineItem = ExternalPurchaseReportStatus(rawValue: "LINE_ITEM")
  /// No purchase for the token.
  public static let noLineItem = ExternalPurchaseReportStatus(rawValue: "NO_LINE_ITEM")
  /// The server does not know the token.
  public static let unrecognizedToken = ExternalPurchaseReportStatus(rawValue: "UNRECOGNIZED_TOKEN")
  /// The server received the token before.
  public static let duplicateToken = ExternalPurchaseReportStatus(rawValue: "DUPLICATE_TOKEN")

  /// The values that Apple documents.
  public static let allCases: [ExternalPurchaseReportStatus] = [
    lineItem, noLineItem, unrecognizedToken, duplicateToken,
  ]
}

/// The type of an external purchase event.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseEventType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let buy = ExternalPurchaseEventType(rawValue: "BUY")
  /// A refund or chargeback.
  public static let refund = ExternalPurchaseEventType(rawValue: "REFUND")

  /// The values that Apple documents.
  public static let allCases: [ExternalPurchaseEventType] = [
    buy, refund,
  ]
}

/// The type of an externally bought product.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseProductType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A product bought once.
  public static let oneTimeBuy = ExternalPurchaseProductType(rawValue: "ONE_TIME_BUY")
  public static let subscription = ExternalPurchaseProductType(rawValue: "SUBSCRIPTION")

  /// The values that Apple documents.
  public static let allCases: [ExternalPurchaseProductType] = [
    oneTimeBuy, subscription,
  ]
}

/// The event of an external subscription.
///
/// Source: App Store Server API rules, section 2.7.
public struct ExternalPurchaseSubscriptionEvent: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let subscriptionStart = ExternalPurchaseSubscriptionEvent(
    rawValue: "SUBSCRIPTION_START")
  public static let renewal = ExternalPurchaseSubscriptionEvent(rawValue: "RENEWAL")
  /// An upgrade or downgrade.
  public static let subscriptionChange = ExternalPurchaseSubscriptionEvent(
    rawValue: "SUBSCRIPTION_CHANGE")
  public static let subscriptionPayment = ExternalPurchaseSubscriptionEvent(
    rawValue: "SUBSCRIPTION_PAYMENT")

  /// The values that Apple documents.
  public static let allCases: [ExternalPurchaseSubscriptionEvent] = [
    subscriptionStart, renewal, subscriptionChange, subscriptionPayment,
  ]
}
