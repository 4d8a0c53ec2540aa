/// The type of a server notification of version 1.
///
/// The type decides nothing: the receipt has to be verified again, and the state derived from it.
///
/// Source: Apple, `notification_type`; App Store rules, section 7.3.
public struct NotificationTypeV1: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Creates a value from any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The first purchase of a subscription.
  public static let initialBuy = NotificationTypeV1(rawValue: "INITIAL_BUY")
  /// A renewal.
  public static let didRenew = NotificationTypeV1(rawValue: "DID_RENEW")
  /// A new purchase or an upgrade by the customer.
  public static let interactiveRenewal = NotificationTypeV1(rawValue: "INTERACTIVE_RENEWAL")
  /// A renewal charged after a failure.
  public static let didRecover = NotificationTypeV1(rawValue: "DID_RECOVER")
  /// A renewal charged after a failure, under its older name.
  public static let renewal = NotificationTypeV1(rawValue: "RENEWAL")
  /// A renewal that could not be charged.
  public static let didFailToRenew = NotificationTypeV1(rawValue: "DID_FAIL_TO_RENEW")
  /// A change of the product that will renew.
  public static let didChangeRenewalPref = NotificationTypeV1(rawValue: "DID_CHANGE_RENEWAL_PREF")
  public static let didChangeRenewalStatus = NotificationTypeV1(
    rawValue: "DID_CHANGE_RENEWAL_STATUS")
  /// The customer was asked to consent to a higher price.
  public static let priceIncreaseConsent = NotificationTypeV1(rawValue: "PRICE_INCREASE_CONSENT")
  /// A refund by support; formerly also an upgrade.
  public static let cancel = NotificationTypeV1(rawValue: "CANCEL")
  public static let refund = NotificationTypeV1(rawValue: "REFUND")
  /// The end of family sharing.
  public static let revoke = NotificationTypeV1(rawValue: "REVOKE")
  /// A question of Apple about the use of a purchase.
  public static let consumptionRequest = NotificationTypeV1(rawValue: "CONSUMPTION_REQUEST")

  /// The values that Apple documents.
  public static let allCases: [NotificationTypeV1] = [
    initialBuy, didRenew, interactiveRenewal, didRecover, renewal, didFailToRenew,
    didChangeRenewalPref, didChangeRenewalStatus, priceIncreaseConsent, cancel, refund, revoke,
    consumptionRequest,
  ]
}

extension NotificationTypeV1: LenientScalar {}
