public import LinkPolicy
public import ReceiptVerifier

/// The reason that a ``SubscriptionService`` refused a request.
///
/// Errors of the store are passed on unchanged. Nothing was written then, unless the store says that it may have committed.
/// Source: linking rules, sections 2.2, 3.1 and 4.
@nonexhaustive
public enum SubscriptionFailure: Error, Hashable, Sendable {
  /// An original transaction ID is neither 1 to 64 digits nor that of a purchase of Google Play.
  case invalidTransactionID
  /// The page is less than 1.
  case invalidPage
  /// The length of a page is not between 1 and 100.
  case invalidPageLength
  case accountNotFound
  /// The subscription is not stored.
  case subscriptionNotFound
  /// No receipt of the subscription is stored, and no source can answer without one.
  case receiptNotFound
  /// The service has no client of verifyReceipt.
  case receiptsNotSupported
  /// A source of the present state failed; the error was reported.
  case sourceFailed
  /// A receipt was refused, or Apple could not be reached.
  case verification(VerifyReceiptFailure)
  /// The evidence was verified, but has no facts that can be recorded.
  case notRecorded(FactsFailure)
  /// Other evidence was refused, such as a signed transaction.
  case evidenceRefused(EvidenceFailure)
  /// No purchase has a product of the ``/ReceiptModels/ProductMap``; the facts were recorded.
  case unknownProduct
  /// The subscription is stored for the other environment; nothing was written.
  case environmentMismatch
  /// The policy refused the request; the dispute or claim that the rules require was recorded.
  case refused(LinkRefusal)
}

extension SubscriptionFailure {
  init(_ failure: EvidenceFailure) {
    switch failure {
    case .notSupported: self = .receiptsNotSupported
    case .verifyReceipt(let reason): self = .verification(reason)
    case .facts(let reason): self = .notRecorded(reason)
    default: self = .evidenceRefused(failure)
    }
  }
}

extension VerifyReceiptFailure {
  /// Whether Apple could not be reached or had a transient failure, so that the receipt may be
  /// valid.
  package var isUnreachable: Bool {
    switch self {
    case .refused: false
    case .transient(let failure, _):
      switch failure {
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
