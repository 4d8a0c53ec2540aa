internal import JSONValues
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
  /// Charges of a subscription that only the receipt has are left out. The date is always Apple's: that of
  /// the answer, or else that of the receipt. Apple returns a receipt for subscriptions only; without one,
  /// the receipt that was asked about is kept.
  ///
  /// Source: App Store rules, section 5.5; entitlement rules, section 4.
  ///
  /// - Parameters:
  ///   - verified: The answer.
  ///   - posted: The receipt that was asked about, in base64.
  /// - Throws: ``SubscriptionFailure/verification(_:)`` if the status is neither 0 nor 21006, or the answer
  ///   has no date; ``SubscriptionFailure/notRecorded(_:)`` if there is no purchase.
  public init(
    allOf verified: VerifiedReceipt, posted: String? = nil
  ) throws(SubscriptionFailure) {
    let response = verified.response
    guard response.status == .valid || response.status == .subscriptionExpired else {
      throw .verification(.transient(.unknownStatus(response.status)))
    }
    guard
      let asOf = (response.requestDate ?? response.receipt?.receiptCreationDate)?.stamp
    else {
      let missing = FieldTypeFailure(
        path: "receipt.request_date_ms", expected: .number, found: .absent)
      throw .verification(.transient(.answerMalformed(missing)))
    }
    let histories = verified.purchaseHistories
    let purchases = histories.flatMap(\.transactions).filter { !$0.isOutdated }
      .map { $0.stamped(asOf, verified.environment) }
    guard !purchases.isEmpty else { throw .notRecorded(.empty) }
    self.init(
      .verifyReceipt, .all, environment: verified.environment, asOf: asOf, purchases: purchases,
      renewals: histories.flatMap(\.renewals).compactMap {
        $0.stamped(asOf, verified.environment)
      })
    receipt = (response.latestReceipt ?? posted).fitting(.receipt)
  }
}
