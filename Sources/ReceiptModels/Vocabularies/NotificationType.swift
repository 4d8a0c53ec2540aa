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
