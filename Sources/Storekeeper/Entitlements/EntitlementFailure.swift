public import EntitlementPolicy
internal import GooglePlayVerifier
public import JWSVerifier
internal import ReceiptVerifier

/// The reason why an ``EntitlementService`` refused a request.
///
/// Errors of the store and of the host's accounts are passed on unchanged. Nothing was written then, unless the store says
/// that it may have committed. Source: entitlement rules, section 10.
@nonexhaustive
public enum EntitlementFailure: Error, Hashable, Sendable {
  case unknownApp
  /// There is neither evidence nor a user.
  case evidenceMissing
  /// There is a user only, and no purchase is associated with that user.
  case receiptMissing
  case receiptsNotSupported
  case transactionsNotSupported
  /// The app has no client of Google Play.
  case purchaseTokensNotSupported
  case receiptInvalid
  /// The receipt is not Apple's, or was changed.
  case receiptNotAuthentic
  /// There are more signed transactions than ``EntitlementService/maximumTransactionCount``, or more purchase tokens
  /// than ``EntitlementService/maximumTokenCount``.
  case tooManyTransactions
  /// A signed transaction lacks a value that it needs, or its form is wrong.
  case transactionInvalid
  /// A signed transaction is not Apple's, or was changed.
  case transactionNotAuthentic(SignedDataFailure)
  /// Google does not know a purchase token, has forgotten it, or was not paid yet.
  case purchaseTokenInvalid
  case bundleMismatch
  /// The evidence is of an environment that is not allowed, or that differs from the stored one.
  case environmentNotAllowed
  /// A purchase belongs to another user; that was recorded.
  case linkedToOtherUser
  /// A purchase has the app account token of another user, or Google's counterpart.
  case accountTokenMismatch
  /// The App Store or Google Play could not be asked about the evidence, which was not taken.
  case appStoreUnavailable
  case refused(Acquisition.Refusal)
}

extension EntitlementFailure {
  /// Creates the failure for evidence that was not verified, or that has no facts.
  ///
  /// Source: entitlement rules, section 4.1.
  init(_ failure: EvidenceFailure, of evidence: PurchaseEvidence) {
    switch failure {
    case .notSupported:
      switch evidence {
      case .receipt: self = .receiptsNotSupported
      case .signedTransaction: self = .transactionsNotSupported
      case .purchaseToken: self = .purchaseTokensNotSupported
      }
    case .wrongApp, .receipt(.bundleMismatch), .verifyReceipt(.refused(.bundleMismatch, _)),
      .signedData(.bundleMismatch(found: .some), _),
      .signedData(.appAppleIdMismatch(found: .some), _), .googlePlay(.packageNameMismatch):
      self = .bundleMismatch
    case .receipt(.environmentNotAllowed), .receipt(.environmentUnknown),
      .verifyReceipt(.refused(.environmentNotAllowed, _)),
      .verifyReceipt(.refused(.wrongServer, _)), .signedData(.environmentNotAllowed, _),
      .signedData(.environmentUnknown, _), .facts(.environmentNotRecorded):
      self = .environmentNotAllowed
    case .signedData(.onlineCheckFailed, _): self = .appStoreUnavailable
    case .signedData(let reason, _):
      switch reason {
      case .tokenTooLarge, .malformedToken, .badEncoding, .malformedHeader, .criticalHeader,
        .unsupportedAlgorithm, .missingCertificateChain, .payloadMalformed, .fieldType,
        .environmentMissing, .bundleMismatch, .appAppleIdMismatch, .notificationShape,
        .signedDateInFuture:
        self = .transactionInvalid
      default: self = .transactionNotAuthentic(reason)
      }
    case .receipt(let reason):
      switch reason {
      case .signatureInvalid, .chain, .certificateNotValidAt, .weakAlgorithmForbidden,
        .signerCertificateMissing, .signatureMissing, .signatureMalformed, .creationDateInFuture:
        self = .receiptNotAuthentic
      default: self = .receiptInvalid
      }
    case .verifyReceipt(.refused(.input(let reason), _)): self.init(.receipt(reason), of: evidence)
    case .verifyReceipt(.refused(.notAuthenticated, _)): self = .receiptNotAuthentic
    // A receipt that Apple calls expired, without a word of what is in it, tells nothing either.
    case .verifyReceipt(.refused), .verifyReceipt(.transient(.malformedReceipt, _)),
      .verifyReceipt(.transient(.receiptMissing, _)):
      self = .receiptInvalid
    case .verifyReceipt(.transient): self = .appStoreUnavailable
    case .googlePlay(let reason):
      self = [.invalid, .gone].contains(reason.kind) ? .purchaseTokenInvalid : .appStoreUnavailable
    case .facts:
      switch evidence {
      case .receipt: self = .receiptInvalid
      case .signedTransaction: self = .transactionInvalid
      case .purchaseToken: self = .purchaseTokenInvalid
      }
    }
  }
}
