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
  /// The time that Apple gives for an answer: 12 hours.
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
        try await records.take(request, as: .consumption, at: now)
      }
    case .refund, .refundDeclined:
      let environment = verified.environment
      return UnitErrand(isWholePoint: type == .refundDeclined) { records in
        try await records.note(
          outcome: type.rawValue, ofTransaction: id, in: environment, at: date.stamp
        ) { $0.outcome == type.rawValue && $0.outcomeDate == date.stamp }
      }
    default: return nil
    }
  }
}

extension UnitOfWork {
  /// Stores a question about a refund with its message in the outbox, unless it is stored already.
  func take(
    _ question: ConsumptionCase, as kind: OutboxMessage.Kind, at now: Date
  ) async throws {
    guard try await consumption.add(question) else { return }
    try await outbox.add(
      OutboxMessage(
        kind: kind, originalTransactionID: question.originalTransactionID,
        reference: question.key, deadline: question.deadline), now: now)
  }

  /// Notes a store's decision as the outcome of its last question about a transaction.
  ///
  /// The same decision may come twice, and must not become the outcome of another question: `isRepeated` tells of a
  /// question whether it has this outcome already.
  func note(
    outcome: String, ofTransaction id: String, in environment: AppStoreEnvironment,
    at date: Date, unless isRepeated: (ConsumptionCase) -> Bool
  ) async throws {
    let known = try await consumption.cases(ofTransaction: id, environment: environment)
    guard !known.isEmpty, !known.contains(where: isRepeated) else { return }
    _ = try await consumption.note(
      outcome: outcome, ofTransaction: id, environment: environment, date: date)
  }
}
