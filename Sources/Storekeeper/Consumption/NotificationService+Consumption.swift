internal import JSONValues
internal import JWSVerifier
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension NotificationService {
  /// The time that Apple gives for an answer.
  private static let timeToAnswer = Duration.seconds(12 * 3600)

  /// Returns what a notification means for requests for consumption information, if anything.
  ///
  /// A request is stored with a message in the outbox, once; a decision about a refund is noted as the outcome of the
  /// request. Source: App Store Server API rules, section 5.6.
  func consumptionErrand(
    for verified: Verified<NotificationContent>, key: String
  ) -> UnitErrand? {
    guard let transaction = verified.payload.transaction?.payload,
      let type = verified.payload.notification.notificationType,
      let id = transaction.transactionID, TransactionIDs.areDigits(id),
      let originalID = transaction.originalTransactionID
    else { return nil }
    let date = verified.signedDate ?? now()
    switch type {
    case .consumptionRequest:
      let request = ConsumptionCase(
        key: key, environment: verified.environment, transactionID: id,
        originalTransactionID: originalID, productID: transaction.productID.fitting(.productID),
        reason: (verified.payload.notification.data?.consumptionRequestReason?.rawValue)
          .fitting(.other),
        isAdvancedCommerce: transaction.advancedCommerceInfo != nil, requestedDate: date,
        deadline: date + Self.timeToAnswer.timeInterval)
      let now = now()
      return UnitErrand(isWholePoint: true) { records in
        guard try await records.consumption.add(request) else { return }
        try await records.outbox.add(
          OutboxMessage(
            kind: .consumption, originalTransactionID: originalID, reference: key,
            deadline: request.deadline), now: now)
      }
    case .refund, .refundDeclined:
      let environment = verified.environment
      return UnitErrand(isWholePoint: type == .refundDeclined) { records in
        let known = try await records.consumption.cases(
          ofTransaction: id, environment: environment)
        // The same decision may come twice, and must not become the outcome of another request.
        let isNoted = known.contains { request in
          request.outcome == type.rawValue && request.outcomeDate == date.stamp
        }
        guard !isNoted else { return }
        _ = try await records.consumption.note(
          outcome: type.rawValue, ofTransaction: id, environment: environment, date: date.stamp)
      }
    default: return nil
    }
  }
}
