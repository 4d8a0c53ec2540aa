/// The type of a server notification of version 2.
///
/// Source: Apple, `notificationType`.
public struct NotificationType: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A subscription began, or a customer returned to the group.
  public static let subscribed = Self(rawValue: "SUBSCRIBED")
  /// The customer chose another plan of the same group.
  public static let didChangeRenewalPref = Self(rawValue: "DID_CHANGE_RENEWAL_PREF")
  public static let didChangeRenewalStatus = Self(rawValue: "DID_CHANGE_RENEWAL_STATUS")
  /// A subscriber took an offer.
  public static let offerRedeemed = Self(rawValue: "OFFER_REDEEMED")
  public static let didRenew = Self(rawValue: "DID_RENEW")
  public static let expired = Self(rawValue: "EXPIRED")
  /// A renewal could not be charged, and Apple is retrying.
  public static let didFailToRenew = Self(rawValue: "DID_FAIL_TO_RENEW")
  /// The billing grace period ended, and Apple is still retrying.
  public static let gracePeriodExpired = Self(rawValue: "GRACE_PERIOD_EXPIRED")
  /// A higher price was announced to the customer, or accepted.
  public static let priceIncrease = Self(rawValue: "PRICE_INCREASE")
  public static let refund = Self(rawValue: "REFUND")
  public static let refundDeclined = Self(rawValue: "REFUND_DECLINED")
  /// Apple reversed a refund, so the purchase is valid again.
  public static let refundReversed = Self(rawValue: "REFUND_REVERSED")
  /// A customer requested a refund, and Apple asks about the use of the purchase.
  public static let consumptionRequest = Self(rawValue: "CONSUMPTION_REQUEST")
  public static let renewalExtended = Self(rawValue: "RENEWAL_EXTENDED")
  /// A job that extends many renewal dates reports its result.
  public static let renewalExtension = Self(rawValue: "RENEWAL_EXTENSION")
  /// Access through family sharing ended.
  public static let revoke = Self(rawValue: "REVOKE")
  public static let test = Self(rawValue: "TEST")
  /// A token for external purchases awaits a report.
  public static let externalPurchaseToken = Self(rawValue: "EXTERNAL_PURCHASE_TOKEN")
  /// A product other than an auto-renewable subscription was bought.
  public static let oneTimeCharge = Self(rawValue: "ONE_TIME_CHARGE")
  /// A parent withdrew consent to the use of the app.
  public static let rescindConsent = Self(rawValue: "RESCIND_CONSENT")
  /// The metadata of an Advanced Commerce subscription changed.
  public static let metadataUpdate = Self(rawValue: "METADATA_UPDATE")
  /// A subscription was migrated to Advanced Commerce.
  public static let migration = Self(rawValue: "MIGRATION")
  /// The price of an Advanced Commerce subscription changed.
  public static let priceChange = Self(rawValue: "PRICE_CHANGE")

  public static let allCases: [Self] = [
    subscribed, didChangeRenewalPref, didChangeRenewalStatus, offerRedeemed, didRenew, expired,
    didFailToRenew, gracePeriodExpired, priceIncrease, refund, refundDeclined, refundReversed,
    consumptionRequest, renewalExtended, renewalExtension, revoke, test, externalPurchaseToken,
    oneTimeCharge, rescindConsent, metadataUpdate, migration, priceChange,
  ]
}

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

/// The type of a server notification of version 1.
///
/// The type decides nothing: the receipt has to be verified again, and the state derived from it.
/// Source: Apple, `notification_type`; App Store rules, section 7.3.
public struct NotificationTypeV1: StringVocabulary, FieldValue {
  public var rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let initialBuy = Self(rawValue: "INITIAL_BUY")
  public static let didRenew = Self(rawValue: "DID_RENEW")
  /// A new purchase or an upgrade by the customer.
  public static let interactiveRenewal = Self(rawValue: "INTERACTIVE_RENEWAL")
  /// A renewal charged after a failure.
  public static let didRecover = Self(rawValue: "DID_RECOVER")
  /// A renewal charged after a failure, under its older name.
  public static let renewal = Self(rawValue: "RENEWAL")
  public static let didFailToRenew = Self(rawValue: "DID_FAIL_TO_RENEW")
  public static let didChangeRenewalPref = Self(rawValue: "DID_CHANGE_RENEWAL_PREF")
  public static let didChangeRenewalStatus = Self(rawValue: "DID_CHANGE_RENEWAL_STATUS")
  /// The customer was asked to consent to a higher price.
  public static let priceIncreaseConsent = Self(rawValue: "PRICE_INCREASE_CONSENT")
  /// A refund by support; formerly also an upgrade.
  public static let cancel = Self(rawValue: "CANCEL")
  public static let refund = Self(rawValue: "REFUND")
  public static let revoke = Self(rawValue: "REVOKE")
  /// A question of Apple about the use of a purchase.
  public static let consumptionRequest = Self(rawValue: "CONSUMPTION_REQUEST")

  public static let allCases: [Self] = [
    initialBuy, didRenew, interactiveRenewal, didRecover, renewal, didFailToRenew,
    didChangeRenewalPref, didChangeRenewalStatus, priceIncreaseConsent, cancel, refund, revoke,
    consumptionRequest,
  ]
}

extension NotificationTypeV1: LenientScalar {}
