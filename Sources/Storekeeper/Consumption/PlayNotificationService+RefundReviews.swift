internal import GooglePlayVerifier
internal import PurchaseStorage
internal import ReceiptModels
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ConsumptionCase {
  /// The time that Google gives for an answer: 24 hours.
  private static let timeForReview = Duration.seconds(24 * 3600)

  /// Creates the case of Google's question; nil if it names no order, or no token to answer with, that can be stored.
  ///
  /// The token makes the key, so that a question that is pushed again, also in another message, is the same. Source:
  /// Google Play rules, section 9.
  init?(_ question: PendingRefundReviewNotification, at date: Date) {
    guard let orderID = question.orderID, TransactionIDs.areGoogle(TransactionIDs.google(orderID)),
      let token = question.pendingRefundToken, StoredText.fits(token, .revision),
      let key = TransactionIDs.googleOriginal(of: token)
    else { return nil }
    let id = TransactionIDs.google(orderID)
    self.init(
      key: key, environment: .production, transactionID: id, originalTransactionID: id,
      reason: question.refundReason.map { String($0.rawValue) }, requestedDate: date,
      deadline: date + Self.timeForReview.timeInterval)
    pendingRefundToken = token
  }
}

/// Google's word that the money of an order, or of some pieces of it, went back.
///
/// Of a chargeback that came to nothing Google tells nothing.
struct VoidedOrder: Sendable {
  let orderID: String
  let refundType: VoidedRefundType
  let date: Date

  /// Creates the word of a notification; nil if it names no order.
  init?(_ voided: VoidedPurchaseNotification, at date: Date) {
    guard let orderID = voided.orderID else { return nil }
    self.orderID = orderID
    refundType = voided.refundType ?? .full
    self.date = date
  }

  /// Creates the word of an entry in the list of voided purchases; nil if it names no order.
  init?(_ voided: VoidedPurchase, at now: Date) {
    guard let orderID = voided.orderID else { return nil }
    self.orderID = orderID
    refundType = voided.voidedQuantity == nil ? .full : .quantityBasedPartial
    date = voided.voidedTime ?? now
  }

  /// Google's name of the refund.
  private var outcome: String {
    switch refundType {
    case .full: "REFUND_TYPE_FULL_REFUND"
    case .quantityBasedPartial: "REFUND_TYPE_QUANTITY_BASED_PARTIAL_REFUND"
    default: "REFUND_TYPE_\(refundType.rawValue)"
    }
  }

  /// Notes the refund as the outcome of Google's question about the order.
  ///
  /// A notification and the list tell of the same refund, perhaps at different times.
  func note(in unit: UnitOfWork) async throws {
    let outcome = outcome
    try await unit.note(
      outcome: outcome, ofTransaction: TransactionIDs.google(orderID), in: .production,
      at: date.stamp
    ) { $0.outcome == outcome }
  }
}
