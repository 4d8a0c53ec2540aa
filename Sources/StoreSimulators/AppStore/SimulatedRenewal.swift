internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The state of the next or failed renewal of a subscription.
struct SimulatedRenewal: Sendable {
  let productID: String
  /// The plan that is running; nil for a product that has one only.
  let plan: BillingPlanType?
  /// The commitment that is running; its periods are paid whatever the customer chooses for the time after them.
  let commitment: SimulatedCommitment?
  /// The customer's choices, which count from the end of a commitment.
  var renewalProductID: String
  var renewalPlan: BillingPlanType?
  var isOn = true
  /// Whether the subscription was ended before its time, which ends a commitment too.
  var isEnded = false
  /// The offer that the next charge redeems.
  var offer: TestOffer?
  var intent: ExpirationIntent?
  var isInRetry = false
  var graceEnd: Date?
  var priceStatus: PriceIncreaseStatus?

  /// Creates the renewal that follows a charge, with the choices for the time after its commitment.
  init(after charge: SimulatedTransaction, before: SimulatedRenewal?) {
    productID = charge.product.id
    plan = charge.plan
    commitment = charge.commitment
    let isSameCommitment = (charge.commitment?.period ?? 1) > 1
    let chosen = isSameCommitment ? before : nil
    renewalProductID = chosen?.renewalProductID ?? productID
    renewalPlan = chosen.map(\.renewalPlan) ?? plan
    isOn = chosen?.isOn ?? true
    priceStatus = chosen?.priceStatus
  }

  /// Turns the renewal off, as the subscription has been taken back.
  mutating func end() { (isOn, isEnded) = (false, true) }

  /// Whether the next period is one of the commitment that is running.
  var isCommitted: Bool { !isEnded && (commitment?.periodsLeft ?? 0) > 0 }

  var nextProductID: String { isCommitted ? productID : renewalProductID }
  var nextPlan: BillingPlanType? { isCommitted ? plan : renewalPlan }

  /// Returns the element of `pending_renewal_info` for a subscription that is paid until `end`.
  func entry(originalID: Int, end: Date, at now: Date) -> PendingRenewal {
    var entry = PendingRenewal()
    entry.originalTransactionID = String(originalID)
    entry.productID = productID
    entry.autoRenewProductID = nextProductID
    entry.autoRenewStatus = isOn || isCommitted ? .on : .off
    entry.priceConsentStatus = priceStatus
    guard end <= now else { return entry }
    entry.expirationIntent = intent ?? defaultIntent
    if entry.expirationIntent != nil { entry.isInBillingRetryPeriod = isInRetry }
    entry.gracePeriodExpiresDate = graceEnd
    // Without consent there is no charge.
    if refusesPrice, !isInRetry { entry.autoRenewStatus = .off }
    return entry
  }

  /// The reason of an expiry that no call has set, derived from the customer's choices.
  private var defaultIntent: ExpirationIntent? {
    if !isOn, !isCommitted { return .customerCancelled }
    return refusesPrice ? .priceIncreaseNotConsented : nil
  }

  /// Whether the next charge has a price to which the customer has not agreed.
  private var refusesPrice: Bool { priceStatus == .notAnswered && !isCommitted }
}
