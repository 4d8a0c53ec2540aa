/// The type of a server notification of version 1.
///
/// The type decides nothing: the receipt has to be verified again, and the state derived from it.
///
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
