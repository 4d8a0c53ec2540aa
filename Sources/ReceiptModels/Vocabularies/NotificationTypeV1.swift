public import JSONValues

/// What a server notification of version 1 is about.
///
/// The type decides nothing: the receipt has to be verified again, and the state derived from it.
///
/// Source: Apple, `notification_type`; contract on signed data, section 7.3.
public struct NotificationTypeV1: StringVocabulary, FieldValue {
  /// Apple's text.
  public var rawValue: String
  /// Takes any text.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Bought for the first time.
  public static let initialBuy = NotificationTypeV1(rawValue: "INITIAL_BUY")
  /// Renewed.
  public static let didRenew = NotificationTypeV1(rawValue: "DID_RENEW")
  /// Bought again or upgraded by hand.
  public static let interactiveRenewal = NotificationTypeV1(rawValue: "INTERACTIVE_RENEWAL")
  /// Charged after a failure.
  public static let didRecover = NotificationTypeV1(rawValue: "DID_RECOVER")
  /// Charged after a failure, by its older name.
  public static let renewal = NotificationTypeV1(rawValue: "RENEWAL")
  /// Could not be charged.
  public static let didFailToRenew = NotificationTypeV1(rawValue: "DID_FAIL_TO_RENEW")
  /// Another product will renew.
  public static let didChangeRenewalPref = NotificationTypeV1(rawValue: "DID_CHANGE_RENEWAL_PREF")
  /// Renewal was switched on or off.
  public static let didChangeRenewalStatus = NotificationTypeV1(
    rawValue: "DID_CHANGE_RENEWAL_STATUS")
  /// The customer was asked to consent to a higher price.
  public static let priceIncreaseConsent = NotificationTypeV1(rawValue: "PRICE_INCREASE_CONSENT")
  /// Refunded by support; formerly also upgraded.
  public static let cancel = NotificationTypeV1(rawValue: "CANCEL")
  /// Refunded.
  public static let refund = NotificationTypeV1(rawValue: "REFUND")
  /// No longer shared by the family.
  public static let revoke = NotificationTypeV1(rawValue: "REVOKE")
  /// Apple asks how a purchase was used.
  public static let consumptionRequest = NotificationTypeV1(rawValue: "CONSUMPTION_REQUEST")

  /// The values that Apple documents.
  public static let allCases: [NotificationTypeV1] = [
    initialBuy, didRenew, interactiveRenewal, didRecover, renewal, didFailToRenew,
    didChangeRenewalPref, didChangeRenewalStatus, priceIncreaseConsent, cancel, refund, revoke,
    consumptionRequest,
  ]
}

extension NotificationTypeV1: LenientScalar {}
