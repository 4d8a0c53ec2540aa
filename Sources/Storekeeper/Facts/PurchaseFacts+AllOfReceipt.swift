internal import PurchaseStorage
internal import ReceiptModels
public import ReceiptVerifier

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PurchaseFacts {
  /// Creates the facts of an answer of verifyReceipt about products of every kind: the transactions of the
  /// receipt itself and of `latest_receipt_info`, and the renewal entries.
  ///
  /// Charges of a subscription that only the receipt has are left out.
  ///
  /// Source: App Store rules, section 5.5; entitlement rules, section 4.
  ///
  /// - Throws: ``SubscriptionFailure/verification(_:)`` if the status is neither 0 nor 21006, or the answer
  ///   has no date; ``SubscriptionFailure/notRecorded(_:)`` if there is no purchase.
  public init(allOf verified: VerifiedReceipt) throws(SubscriptionFailure) {
    let response = verified.response
    guard response.status == .valid || response.status == .subscriptionExpired else {
      throw .verification(.transient(.unknownStatus(response.status)))
    }
    let asOf = (response.requestDate ?? verified.requestDate).stamp
    let histories = verified.purchaseHistories
    let purchases = histories.flatMap(\.transactions).filter { !$0.isOutdated }
      .map { $0.stamped(asOf, verified.environment) }
    guard !purchases.isEmpty else { throw .notRecorded(.empty) }
    self.init(
      .verifyReceipt, .all, environment: verified.environment, asOf: asOf, purchases: purchases,
      renewals: histories.flatMap(\.renewals).compactMap {
        $0.stamped(asOf, verified.environment)
      })
    receipt = response.latestReceipt.fitting(.receipt)
  }
}
