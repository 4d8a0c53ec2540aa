/// The type of a server notification of version 2.
///
/// Source: Apple, `notificationType`.
public struct NotificationType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A subscription began, or a customer returned to the group.
  public static let subscribed = NotificationType(rawValue: "SUBSCRIBED")
  /// The customer chose another plan of the same group.
  public static let didChangeRenewalPref = NotificationType(rawValue: "DID_CHANGE_RENEWAL_PREF")
  /// Automatic renewal was switched on or off.
  public static let didChangeRenewalStatus = NotificationType(rawValue: "DID_CHANGE_RENEWAL_STATUS")
  /// A subscriber took an offer.
  public static let offerRedeemed = NotificationType(rawValue: "OFFER_REDEEMED")
  /// A subscription was renewed and paid.
  public static let didRenew = NotificationType(rawValue: "DID_RENEW")
  /// A subscription expired; the subtype gives the reason.
  public static let expired = NotificationType(rawValue: "EXPIRED")
  /// A renewal could not be charged, and Apple is retrying.
  public static let didFailToRenew = NotificationType(rawValue: "DID_FAIL_TO_RENEW")
  /// The billing grace period ended, and Apple is still retrying.
  public static let gracePeriodExpired = NotificationType(rawValue: "GRACE_PERIOD_EXPIRED")
  /// A higher price was announced to the customer, or accepted.
  public static let priceIncrease = NotificationType(rawValue: "PRICE_INCREASE")
  /// Apple refunded a transaction.
  public static let refund = NotificationType(rawValue: "REFUND")
  /// Apple declined a refund.
  public static let refundDeclined = NotificationType(rawValue: "REFUND_DECLINED")
  /// Apple reversed a refund, so the purchase is valid again.
  public static let refundReversed = NotificationType(rawValue: "REFUND_REVERSED")
  /// A customer requested a refund, and Apple asks about the use of the purchase.
  public static let consumptionRequest = NotificationType(rawValue: "CONSUMPTION_REQUEST")
  /// The renewal date of one subscription was extended.
  public static let renewalExtended = NotificationType(rawValue: "RENEWAL_EXTENDED")
  /// A job that extends many renewal dates reports its result.
  public static let renewalExtension = NotificationType(rawValue: "RENEWAL_EXTENSION")
  /// Access through family sharing ended.
  public static let revoke = NotificationType(rawValue: "REVOKE")
  /// A test that the server asked for.
  public static let test = NotificationType(rawValue: "TEST")
  /// A token for external purchases awaits a report.
  public static let externalPurchaseToken = NotificationType(rawValue: "EXTERNAL_PURCHASE_TOKEN")
  /// A product other than an auto-renewable subscription was bought.
  public static let oneTimeCharge = NotificationType(rawValue: "ONE_TIME_CHARGE")
  /// A parent withdrew consent to the use of the app.
  public static let rescindConsent = NotificationType(rawValue: "RESCIND_CONSENT")
  /// The metadata of an Advanced Commerce subscription changed.
  public static let metadataUpdate = NotificationType(rawValue: "METADATA_UPDATE")
  /// A subscription was migrated to Advanced Commerce.
  public static let migration = NotificationType(rawValue: "MIGRATION")
  /// The price of an Advanced Commerce subscription changed.
  public static let priceChange = NotificationType(rawValue: "PRICE_CHANGE")

  /// The values that Apple documents.
  public static let allCases: [NotificationType] = [
    subscribed, didChangeRenewalPref, didChangeRenewalStatus, offerRedeemed, didRenew, expired,
    didFailToRenew, gracePeriodExpired, priceIncrease, refund, refundDeclined, refundReversed,
    consumptionRequest, renewalExtended, renewalExtension, revoke, test, externalPurchaseToken,
    oneTimeCharge, rescindConsent, metadataUpdate, migration, priceChange,
  ]
}
