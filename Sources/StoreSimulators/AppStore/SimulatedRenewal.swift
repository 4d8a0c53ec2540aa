internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The state of the next or failed renewal of a subscription.
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

  /// Returns the element of `pending_renewal_info` for a subscription that is paid until `end`.
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
    // Without consent there is no charge.
    if priceStatus == .notAnswered, !isInRetry { entry.autoRenewStatus = .off }
    return entry
  }

  /// The reason of an expiry that no call has set, derived from the customer's choices.
  private var defaultIntent: ExpirationIntent? {
    if !isOn { return .customerCancelled }
    return priceStatus == .notAnswered ? .priceIncreaseNotConsented : nil
  }
}
