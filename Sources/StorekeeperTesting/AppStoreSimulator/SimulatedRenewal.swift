internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What the simulated App Store knows of the coming or failed renewal of a subscription.
struct SimulatedRenewal: Sendable {
  var productID: String
  var renewalProductID: String
  var isOn = true
  var intent: ExpirationIntent?
  var isInRetry = false
  var graceEnd: Date?
  var priceStatus: PriceIncreaseStatus?

  init(productID: String) {
    self.productID = productID
    renewalProductID = productID
  }

  /// As an element of `pending_renewal_info`, for a subscription that is paid until `end`.
  func entry(originalID: Int, end: Date, at now: Date) -> PendingRenewal {
    var entry = PendingRenewal()
    entry.originalTransactionID = String(originalID)
    entry.productID = productID
    entry.autoRenewProductID = renewalProductID
    entry.autoRenewStatus = isOn ? .on : .off
    entry.priceConsentStatus = priceStatus
    guard end <= now else { return entry }
    entry.expirationIntent = intent ?? defaultIntent
    if entry.expirationIntent != nil { entry.isInBillingRetryPeriod = isInRetry }
    entry.gracePeriodExpiresDate = graceEnd
    // Who did not consent is not charged.
    if priceStatus == .notAnswered, !isInRetry { entry.autoRenewStatus = .off }
    return entry
  }

  /// Why it ended when nobody said so: what the customer left undone, or did.
  private var defaultIntent: ExpirationIntent? {
    if !isOn { return .customerCancelled }
    return priceStatus == .notAnswered ? .priceIncreaseNotConsented : nil
  }
}
