public import LinkPolicy
public import ReceiptVerifier

/// The reason why a ``SubscriptionService`` did not do what it was asked.
///
/// Errors of the store pass unchanged; then nothing was kept.
///
/// Source: linking rules, sections 2.2, 3.1 and 4.
public enum SubscriptionFailure: Error, Hashable, Sendable {
  /// An original transaction ID is not 1 to 64 digits.
  case invalidTransactionID
  /// The page is less than 1.
  case invalidPage
  /// The length of a page is not from 1 to 100.
  case invalidPageLength
  /// There is no such account.
  case accountNotFound
  /// There is no such subscription.
  case subscriptionNotFound
  /// There is no receipt of the subscription, and no source that can answer without one.
  case receiptNotFound
  /// The service has no client of verifyReceipt.
  case receiptsNotSupported
  /// Apple refused a receipt, or could not be asked.
  case verification(VerifyReceiptFailure)
  /// The evidence is verified, but holds no facts that can be recorded.
  case notRecorded(FactsFailure)
  /// No purchase is of a product of the ``/ReceiptModels/ProductMap``; the facts were kept.
  case unknownProduct
  /// The subscription is stored for the other environment; nothing was kept.
  case environmentMismatch
  /// The policy refused; the dispute or the claim that the rules ask for was recorded.
  case refused(LinkRefusal)
}

extension VerifyReceiptFailure {
  /// Whether Apple could not be asked or had a transient failure, so that nothing is known.
  package var isUnreachable: Bool {
    switch self {
    case .refused: false
    case .incidental(let incident, _):
      switch incident {
      case .transport, .timeUp, .httpStatus, .answerNotJSON, .serverUnavailable: true
      case .answerMalformed, .internalDataAccess, .malformedReceipt, .sharedSecretMismatch,
        .unknownStatus, .receiptMissing, .noBundleID, .malformedTransactionID,
        .environmentMismatch:
        false
      @unknown default: false
      }
    }
  }
}
