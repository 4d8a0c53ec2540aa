/// The detail of a server notification of version 2.
///
/// Source: Apple, `subtype`.
public struct NotificationSubtype: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The first purchase in the subscription group.
  public static let initialBuy = Self(rawValue: "INITIAL_BUY")
  /// A former subscriber subscribed again.
  public static let resubscribe = Self(rawValue: "RESUBSCRIBE")
  /// A downgrade, effective at the next renewal.
  public static let downgrade = Self(rawValue: "DOWNGRADE")
  public static let upgrade = Self(rawValue: "UPGRADE")
  public static let autoRenewEnabled = Self(rawValue: "AUTO_RENEW_ENABLED")
  public static let autoRenewDisabled = Self(rawValue: "AUTO_RENEW_DISABLED")
  /// The customer had switched renewal off.
  public static let voluntary = Self(rawValue: "VOLUNTARY")
  /// Apple could not charge the renewal until the retry period ended.
  public static let billingRetry = Self(rawValue: "BILLING_RETRY")
  public static let priceIncrease = Self(rawValue: "PRICE_INCREASE")
  public static let gracePeriod = Self(rawValue: "GRACE_PERIOD")
  public static let pending = Self(rawValue: "PENDING")
  /// The customer consented, or was notified where consent is not needed.
  public static let accepted = Self(rawValue: "ACCEPTED")
  /// A failed renewal was charged after all.
  public static let billingRecovery = Self(rawValue: "BILLING_RECOVERY")
  /// The product was no longer for sale at renewal.
  public static let productNotForSale = Self(rawValue: "PRODUCT_NOT_FOR_SALE")
  public static let summary = Self(rawValue: "SUMMARY")
  /// The job failed for one subscription.
  public static let failure = Self(rawValue: "FAILURE")
  /// Apple has no report for the token.
  public static let unreported = Self(rawValue: "UNREPORTED")
  /// The token is still active, and reports on it are due.
  public static let activeTokenReminder = Self(rawValue: "ACTIVE_TOKEN_REMINDER")
  public static let created = Self(rawValue: "CREATED")

  public static let allCases: [Self] = [
    initialBuy, resubscribe, downgrade, upgrade, autoRenewEnabled, autoRenewDisabled, voluntary,
    billingRetry, priceIncrease, gracePeriod, pending, accepted, billingRecovery, productNotForSale,
    summary, failure, unreported, activeTokenReminder, created,
  ]
}
