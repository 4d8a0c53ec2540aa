/// Whether a subscription will renew automatically.
///
/// Source: Apple, `autoRenewStatus`.
public struct AutoRenewStatus: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The subscription ends with the period.
  public static let off = AutoRenewStatus(rawValue: 0)
  /// The subscription renews.
  public static let on = AutoRenewStatus(rawValue: 1)

  /// The values that Apple documents.
  public static let allCases: [AutoRenewStatus] = [
    off, on,
  ]
}

/// The reason for the expiration of a subscription.
///
/// Source: Apple, `expirationIntent`.
public struct ExpirationIntent: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The customer switched off renewal.
  public static let customerCancelled = ExpirationIntent(rawValue: 1)
  /// The renewal could not be charged.
  public static let billingError = ExpirationIntent(rawValue: 2)
  /// The customer did not consent to a higher price.
  public static let priceIncreaseNotConsented = ExpirationIntent(rawValue: 3)
  /// The product was not for sale at renewal.
  public static let productNotAvailable = ExpirationIntent(rawValue: 4)
  /// Any other reason.
  public static let other = ExpirationIntent(rawValue: 5)

  /// The values that Apple documents.
  public static let allCases: [ExpirationIntent] = [
    customerCancelled, billingError, priceIncreaseNotConsented, productNotAvailable, other,
  ]
}

/// Whether the customer consented to a price increase.
///
/// Source: Apple, `priceIncreaseStatus`.
public struct PriceIncreaseStatus: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The customer has been asked, but has not answered.
  public static let notAnswered = PriceIncreaseStatus(rawValue: 0)
  /// The customer consented, or was notified where consent is not needed.
  public static let consented = PriceIncreaseStatus(rawValue: 1)

  /// The values that Apple documents.
  public static let allCases: [PriceIncreaseStatus] = [
    notAnswered, consented,
  ]
}

/// The status of a subscription at the time of Apple's signature.
///
/// Source: Apple, `status`.
public struct SubscriptionStatus: IntegerVocabulary, FieldValue {
  /// Apple's number.
  public var rawValue: Int
  /// Creates a value from any number.
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let active = SubscriptionStatus(rawValue: 1)
  public static let expired = SubscriptionStatus(rawValue: 2)
  /// The renewal failed and Apple is retrying; the customer is not entitled.
  public static let billingRetry = SubscriptionStatus(rawValue: 3)
  /// The renewal failed and Apple is retrying; the customer stays entitled.
  public static let billingGracePeriod = SubscriptionStatus(rawValue: 4)
  /// The purchase was refunded, or family sharing ended.
  public static let revoked = SubscriptionStatus(rawValue: 5)

  /// The values that Apple documents.
  public static let allCases: [SubscriptionStatus] = [
    active, expired, billingRetry, billingGracePeriod, revoked,
  ]
}
