/// Whether a subscription will renew automatically.
///
/// Source: Apple, `autoRenewStatus`.
public struct AutoRenewStatus: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The subscription ends with the period.
  public static let off = Self(rawValue: 0)
  public static let on = Self(rawValue: 1)

  public static let allCases: [Self] = [off, on]
}

/// The reason for the expiration of a subscription.
///
/// Source: Apple, `expirationIntent`.
public struct ExpirationIntent: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let customerCancelled = Self(rawValue: 1)
  public static let billingError = Self(rawValue: 2)
  public static let priceIncreaseNotConsented = Self(rawValue: 3)
  public static let productNotAvailable = Self(rawValue: 4)
  public static let other = Self(rawValue: 5)

  public static let allCases: [Self] = [
    customerCancelled, billingError, priceIncreaseNotConsented, productNotAvailable, other,
  ]
}

/// Whether the customer consented to a price increase.
///
/// Source: Apple, `priceIncreaseStatus`.
public struct PriceIncreaseStatus: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The customer has been asked, but has not answered.
  public static let notAnswered = Self(rawValue: 0)
  /// The customer consented, or was notified where consent is not needed.
  public static let consented = Self(rawValue: 1)

  public static let allCases: [Self] = [notAnswered, consented]
}

/// The status of a subscription at the time of Apple's signature.
///
/// Source: Apple, `status`.
public struct SubscriptionStatus: IntegerVocabulary, FieldValue {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let active = Self(rawValue: 1)
  public static let expired = Self(rawValue: 2)
  /// The renewal failed and Apple is retrying; the customer is not entitled.
  public static let billingRetry = Self(rawValue: 3)
  /// The renewal failed and Apple is retrying; the customer stays entitled.
  public static let billingGracePeriod = Self(rawValue: 4)
  /// The purchase was refunded, or family sharing ended.
  public static let revoked = Self(rawValue: 5)

  public static let allCases: [Self] = [active, expired, billingRetry, billingGracePeriod, revoked]
}
