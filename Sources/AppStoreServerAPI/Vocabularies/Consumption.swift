internal import JSONValues
public import ReceiptModels

/// Whether a purchase was delivered and works.
///
/// Source: Apple, `deliveryStatus`.
public struct DeliveryStatus: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Delivered and working.
  public static let delivered = DeliveryStatus(rawValue: "DELIVERED")
  /// Not delivered because of a quality issue.
  public static let undeliveredQualityIssue = DeliveryStatus(rawValue: "UNDELIVERED_QUALITY_ISSUE")
  /// The wrong item was delivered.
  public static let undeliveredWrongItem = DeliveryStatus(rawValue: "UNDELIVERED_WRONG_ITEM")
  /// Not delivered because of an outage.
  public static let undeliveredServerOutage = DeliveryStatus(rawValue: "UNDELIVERED_SERVER_OUTAGE")
  /// Not delivered for another reason.
  public static let undeliveredOther = DeliveryStatus(rawValue: "UNDELIVERED_OTHER")

  /// The values that Apple documents.
  public static let allCases: [DeliveryStatus] = [
    delivered, undeliveredQualityIssue, undeliveredWrongItem, undeliveredServerOutage,
    undeliveredOther,
  ]
}

/// The outcome of a request for a refund that the server prefers.
///
/// Source: Apple, `refundPreference`.
public struct RefundPreference: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// No refund.
  public static let decline = RefundPreference(rawValue: "DECLINE")
  public static let grantFull = RefundPreference(rawValue: "GRANT_FULL")
  /// A refund of the part that was not consumed.
  public static let grantProrated = RefundPreference(rawValue: "GRANT_PRORATED")

  /// The values that Apple documents.
  public static let allCases: [RefundPreference] = [
    decline, grantFull, grantProrated,
  ]
}
