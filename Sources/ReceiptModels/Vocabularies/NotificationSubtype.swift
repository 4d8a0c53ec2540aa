/// The detail of a server notification of version 2.
///
/// Source: Apple, `subtype`.
public struct NotificationSubtype: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The first purchase in the subscription group.
  public static let initialBuy = NotificationSubtype(rawValue: "INITIAL_BUY")
  /// A former subscriber subscribed again.
  public static let resubscribe = NotificationSubtype(rawValue: "RESUBSCRIBE")
  /// A downgrade, effective at the next renewal.
  public static let downgrade = NotificationSubtype(rawValue: "DOWNGRADE")
  /// An upgrade, effective immediately.
  public static let upgrade = NotificationSubtype(rawValue: "UPGRADE")
  /// Automatic renewal was switched on.
  public static let autoRenewEnabled = NotificationSubtype(rawValue: "AUTO_RENEW_ENABLED")
  /// Automatic renewal was switched off.
  public static let autoRenewDisabled = NotificationSubtype(rawValue: "AUTO_RENEW_DISABLED")
  /// The customer had switched renewal off.
  public static let voluntary = NotificationSubtype(rawValue: "VOLUNTARY")
  /// Apple could not charge the renewal until the retry period ended.
  public static let billingRetry = NotificationSubtype(rawValue: "BILLING_RETRY")
  /// The customer did not consent to a higher price.
  public static let priceIncrease = NotificationSubtype(rawValue: "PRICE_INCREASE")
  /// The subscription is in its billing grace period.
  public static let gracePeriod = NotificationSubtype(rawValue: "GRACE_PERIOD")
  /// The customer has not answered yet.
  public static let pending = NotificationSubtype(rawValue: "PENDING")
  /// The customer consented, or was notified where consent is not needed.
  public static let accepted = NotificationSubtype(rawValue: "ACCEPTED")
  /// A failed renewal was charged after all.
  public static let billingRecovery = NotificationSubtype(rawValue: "BILLING_RECOVERY")
  /// The product was no longer for sale at renewal.
  public static let productNotForSale = NotificationSubtype(rawValue: "PRODUCT_NOT_FOR_SALE")
  /// The job is done.
  public static let summary = NotificationSubtype(rawValue: "SUMMARY")
  /// The job failed for one subscription.
  public static let failure = NotificationSubtype(rawValue: "FAILURE")
  /// Apple has no report for the token.
  public static let unreported = NotificationSubtype(rawValue: "UNREPORTED")
  /// The token is still active, and reports on it are due.
  public static let activeTokenReminder = NotificationSubtype(rawValue: "ACTIVE_TOKEN_REMINDER")
  /// The token was created.
  public static let created = NotificationSubtype(rawValue: "CREATED")

  /// The values that Apple documents.
  public static let allCases: [NotificationSubtype] = [
    initialBuy, resubscribe, downgrade, upgrade, autoRenewEnabled, autoRenewDisabled, voluntary,
    billingRetry, priceIncrease, gracePeriod, pending, accepted, billingRecovery, productNotForSale,
    summary, failure, unreported, activeTokenReminder, created,
  ]
}
