internal import JSONValues
public import ReceiptModels

/// Whether a purchase was delivered and works.
///
/// Source: Apple, `deliveryStatus`.
public struct DeliveryStatus: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Delivered and working.
  public static let delivered = Self(rawValue: "DELIVERED")
  /// Not delivered because of a quality issue.
  public static let undeliveredQualityIssue = Self(rawValue: "UNDELIVERED_QUALITY_ISSUE")
  /// The wrong item was delivered.
  public static let undeliveredWrongItem = Self(rawValue: "UNDELIVERED_WRONG_ITEM")
  /// Not delivered because of an outage.
  public static let undeliveredServerOutage = Self(rawValue: "UNDELIVERED_SERVER_OUTAGE")
  /// Not delivered for another reason.
  public static let undeliveredOther = Self(rawValue: "UNDELIVERED_OTHER")

  public static let allCases: [Self] = [
    delivered, undeliveredQualityIssue, undeliveredWrongItem, undeliveredServerOutage,
    undeliveredOther,
  ]
}

/// The outcome of a request for a refund that the server prefers.
///
/// Source: Apple, `refundPreference`.
public struct RefundPreference: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// No refund.
  public static let decline = Self(rawValue: "DECLINE")
  public static let grantFull = Self(rawValue: "GRANT_FULL")
  /// A refund of the part that was not consumed.
  public static let grantProrated = Self(rawValue: "GRANT_PRORATED")

  public static let allCases: [Self] = [decline, grantFull, grantProrated]
}
