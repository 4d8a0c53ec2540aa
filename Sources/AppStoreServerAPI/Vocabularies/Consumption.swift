internal import JSONValues
public import ReceiptModels

/// Whether a purchase was delivered and works.
///
/// Source: Apple, `deliveryStatus`.
public struct DeliveryStatus: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let delivered = Self(rawValue: "DELIVERED")
  public static let undeliveredQualityIssue = Self(rawValue: "UNDELIVERED_QUALITY_ISSUE")
  public static let undeliveredWrongItem = Self(rawValue: "UNDELIVERED_WRONG_ITEM")
  public static let undeliveredServerOutage = Self(rawValue: "UNDELIVERED_SERVER_OUTAGE")
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

  public static let decline = Self(rawValue: "DECLINE")
  public static let grantFull = Self(rawValue: "GRANT_FULL")
  /// A refund of the part that was not consumed.
  public static let grantProrated = Self(rawValue: "GRANT_PRORATED")

  public static let allCases: [Self] = [decline, grantFull, grantProrated]
}
