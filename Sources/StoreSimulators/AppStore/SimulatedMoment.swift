internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The state of a customer's purchases at a moment.
struct SimulatedMoment: Sendable {
  let date: Date
  let customer: String
  /// All transactions of the customer, oldest first.
  let transactions: [SimulatedTransaction]
  let renewals: [PendingRenewal]
  /// The next renewals, by the original identifier of the subscription.
  let upcoming: [Int: SimulatedRenewal]
  /// The groups of which the customer had a paid subscription that has expired.
  let lapsedGroups: Set<String>
  /// The identifier of the customer's copy of the app; nil for one without purchases.
  let appTransactionID: String?
  /// The renewals of Advanced Commerce, by the original identifier of the subscription.
  let advancedCommerce: [Int: AdvancedCommerceRenewalInfo]

  init(of customer: String, in store: SimulatedStore, at date: Date) {
    self.date = date
    self.customer = customer
    transactions = store.transactions(of: customer)
    advancedCommerce = Dictionary(
      transactions.map(\.originalID).compactMap { id in
        store.advancedCommerce(of: id).map { (id, $0) }
      }, uniquingKeysWith: { one, _ in one })
    renewals = store.renewalEntries(of: customer, at: date)
    upcoming = Dictionary(
      transactions.compactMap { charge in
        store.renewal(charge.originalID).map { (charge.originalID, $0) }
      }, uniquingKeysWith: { one, _ in one })
    lapsedGroups = Set(transactions.compactMap(\.group)).filter {
      store.hasLapsed(customer, in: $0, at: date)
    }
    appTransactionID = store.appTransactionID(of: customer).map { String($0) }
  }

  /// The value of `latest_receipt_info`: newest first, without consumables.
  var latestReceiptInfo: [ReceiptTransaction] {
    transactions.reversed().filter { $0.product.kind != .consumable }.map(\.entry)
  }

  func latest(_ originalID: Int) -> SimulatedTransaction? {
    transactions.last { $0.originalID == originalID }
  }

  func renewal(_ originalID: Int) -> PendingRenewal? {
    let id = String(originalID)
    return renewals.first { $0.originalTransactionID == id }
  }

  /// The state of a subscription, or nil for a purchase that does not renew.
  func status(_ originalID: Int) -> SubscriptionStatus? {
    guard let latest = latest(originalID), let renewal = renewal(originalID) else { return nil }
    if latest.cancellationDate != nil { return .revoked }
    if latest.isRunning(at: date) { return .active }
    guard renewal.isInBillingRetryPeriod == true else { return .expired }
    let isInGrace = renewal.gracePeriodExpiresDate.map { date < $0 } ?? false
    return isInGrace ? .billingGracePeriod : .billingRetry
  }
}
