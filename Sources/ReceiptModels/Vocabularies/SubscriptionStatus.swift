public import JSONValues

/// The state of a subscription, as Apple sees it when it signs.
///
/// Source: Apple, `status`.
public struct SubscriptionStatus: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Takes any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Paid and running.
  public static let active = SubscriptionStatus(rawValue: 1)
  /// Ended.
  public static let expired = SubscriptionStatus(rawValue: 2)
  /// Unpaid, while Apple keeps trying; not entitled.
  public static let billingRetry = SubscriptionStatus(rawValue: 3)
  /// Unpaid, while Apple keeps trying and the customer stays entitled.
  public static let billingGracePeriod = SubscriptionStatus(rawValue: 4)
  /// Refunded, or lost by family sharing.
  public static let revoked = SubscriptionStatus(rawValue: 5)

  /// The values that Apple documents.
  public static let allCases: [SubscriptionStatus] = [
    active, expired, billingRetry, billingGracePeriod, revoked,
  ]
}
