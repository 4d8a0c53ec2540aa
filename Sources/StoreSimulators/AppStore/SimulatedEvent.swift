internal import ReceiptModels

/// An event of a purchase, in the terms of both versions of Apple's notifications.
///
/// Source: Apple, `notificationType` and `notification_type`.
struct SimulatedEvent: Hashable, Sendable {
  let type: NotificationType
  let subtype: NotificationSubtype?
  /// Nil if version 1 has no type for the event, and so no notification.
  let typeV1: NotificationTypeV1?

  private init(
    _ type: NotificationType, _ subtype: NotificationSubtype? = nil,
    _ typeV1: NotificationTypeV1? = nil
  ) {
    self.type = type
    self.subtype = subtype
    self.typeV1 = typeV1
  }

  static let boughtOnce = SimulatedEvent(.oneTimeCharge)
  static let subscribed = SimulatedEvent(.subscribed, .initialBuy, .initialBuy)
  static let resubscribed = SimulatedEvent(.subscribed, .resubscribe, .interactiveRenewal)
  static let renewed = SimulatedEvent(.didRenew, nil, .didRenew)
  static let recovered = SimulatedEvent(.didRenew, .billingRecovery, .didRecover)
  static let upgraded = SimulatedEvent(.didChangeRenewalPref, .upgrade, .interactiveRenewal)
  static let downgraded = SimulatedEvent(.didChangeRenewalPref, .downgrade, .didChangeRenewalPref)
  static let downgradeUndone = SimulatedEvent(.didChangeRenewalPref, nil, .didChangeRenewalPref)
  static let renewalSwitchedOn = SimulatedEvent(
    .didChangeRenewalStatus, .autoRenewEnabled, .didChangeRenewalStatus)
  static let renewalSwitchedOff = SimulatedEvent(
    .didChangeRenewalStatus, .autoRenewDisabled, .didChangeRenewalStatus)
  static let askedForPriceConsent = SimulatedEvent(.priceIncrease, .pending, .priceIncreaseConsent)
  static let redeemedOffer = SimulatedEvent(.offerRedeemed)
  static let consentedToPrice = SimulatedEvent(.priceIncrease, .accepted)
  static let renewalFailed = SimulatedEvent(.didFailToRenew, nil, .didFailToRenew)
  static let renewalFailedWithGrace = SimulatedEvent(
    .didFailToRenew, .gracePeriod, .didFailToRenew)
  static let subscriptionRefunded = SimulatedEvent(.refund, nil, .cancel)
  static let purchaseRefunded = SimulatedEvent(.refund, nil, .refund)
  static let refundReversed = SimulatedEvent(.refundReversed)
  static let revoked = SimulatedEvent(.revoke, nil, .revoke)

  static let refundRequested = SimulatedEvent(.consumptionRequest, nil, .consumptionRequest)
  static let refundDeclined = SimulatedEvent(.refundDeclined)
  static let renewalExtended = SimulatedEvent(.renewalExtended)
  static let extensionFailed = SimulatedEvent(.renewalExtension, .failure)
  static let metadataChanged = SimulatedEvent(.metadataUpdate)
  static let priceChanged = SimulatedEvent(.priceChange)
  static let migrated = SimulatedEvent(.migration)

  static func expired(for intent: ExpirationIntent) -> SimulatedEvent {
    let subtype: NotificationSubtype? =
      switch intent {
      case .customerCancelled: .voluntary
      case .billingError: .billingRetry
      case .priceIncreaseNotConsented: .priceIncrease
      case .productNotAvailable: .productNotForSale
      default: nil
      }
    return SimulatedEvent(.expired, subtype)
  }
}
