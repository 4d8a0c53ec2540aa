public import JSONValues

/// What a server notification of version 2 is about.
///
/// Source: Apple, `notificationType`.
public struct NotificationType: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A subscription began, or a customer came back to the group.
  public static let subscribed = NotificationType(rawValue: "SUBSCRIBED")
  /// The customer chose another plan of the same group.
  public static let didChangeRenewalPref = NotificationType(rawValue: "DID_CHANGE_RENEWAL_PREF")
  /// Automatic renewal was switched on or off.
  public static let didChangeRenewalStatus = NotificationType(rawValue: "DID_CHANGE_RENEWAL_STATUS")
  /// A subscriber took an offer.
  public static let offerRedeemed = NotificationType(rawValue: "OFFER_REDEEMED")
  /// A subscription was renewed and paid.
  public static let didRenew = NotificationType(rawValue: "DID_RENEW")
  /// A subscription ended; the subtype says why.
  public static let expired = NotificationType(rawValue: "EXPIRED")
  /// A renewal could not be charged, and Apple keeps trying.
  public static let didFailToRenew = NotificationType(rawValue: "DID_FAIL_TO_RENEW")
  /// The billing grace period is over, while Apple keeps trying.
  public static let gracePeriodExpired = NotificationType(rawValue: "GRACE_PERIOD_EXPIRED")
  /// A higher price was announced to the customer, or accepted.
  public static let priceIncrease = NotificationType(rawValue: "PRICE_INCREASE")
  /// Apple paid back a transaction.
  public static let refund = NotificationType(rawValue: "REFUND")
  /// Apple did not grant a refund.
  public static let refundDeclined = NotificationType(rawValue: "REFUND_DECLINED")
  /// A refund was taken back, so the purchase counts again.
  public static let refundReversed = NotificationType(rawValue: "REFUND_REVERSED")
  /// A customer wants a refund, and Apple asks how far the purchase was used.
  public static let consumptionRequest = NotificationType(rawValue: "CONSUMPTION_REQUEST")
  /// The renewal date of one subscription was moved back.
  public static let renewalExtended = NotificationType(rawValue: "RENEWAL_EXTENDED")
  /// A job that moves many renewal dates reports on itself.
  public static let renewalExtension = NotificationType(rawValue: "RENEWAL_EXTENSION")
  /// Access by family sharing was lost.
  public static let revoke = NotificationType(rawValue: "REVOKE")
  /// A test that the server asked for.
  public static let test = NotificationType(rawValue: "TEST")
  /// A token for external purchases awaits a report.
  public static let externalPurchaseToken = NotificationType(rawValue: "EXTERNAL_PURCHASE_TOKEN")
  /// Something other than an auto-renewable subscription was bought.
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
