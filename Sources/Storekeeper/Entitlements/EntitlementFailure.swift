public import EntitlementPolicy
public import JWSVerifier
internal import ReceiptVerifier

/// The reason why an ``EntitlementService`` refused a request.
///
/// Errors of the store and of the host's accounts are passed on unchanged; nothing was written then.
///
/// Source: entitlement rules, section 10.
public enum EntitlementFailure: Error, Hashable, Sendable {
  /// The app is not one of the host's.
  case unknownApp
  /// There is neither evidence nor a user.
  case evidenceMissing
  /// There is a user only, and no purchase is associated with that user.
  case receiptMissing
  /// The service accepts no receipts.
  case receiptsNotSupported
  /// The service accepts no signed transactions.
  case transactionsNotSupported
  /// The app has no client of Google Play.
  case purchaseTokensNotSupported
  /// The receipt is not one that could be verified.
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
  /// The evidence is about another app.
  case bundleMismatch
  /// The evidence is of an environment that is not allowed, or that differs from the stored one.
  case environmentNotAllowed
  /// A purchase belongs to another user; that was recorded.
  case linkedToOtherUser
  /// A purchase has the app account token of another user, or Google's counterpart.
  case accountTokenMismatch
  /// The App Store or Google Play could not be asked about the evidence, which was not taken.
  case appStoreUnavailable
  /// A product can't be acquired.
  case refused(Acquisition.Refusal)
}

extension EntitlementFailure {
  /// Creates the failure for signed data that the verifier refused.
  init(_ failure: SignedDataFailure) {
    switch failure {
    case .onlineCheckFailed: self = .appStoreUnavailable
    case .bundleMismatch(found: .some), .appAppleIdMismatch(found: .some): self = .bundleMismatch
    case .environmentNotAllowed, .environmentUnknown: self = .environmentNotAllowed
    case .tokenTooLarge, .malformedToken, .badEncoding, .malformedHeader, .criticalHeader,
      .unsupportedAlgorithm, .missingCertificateChain, .payloadMalformed, .fieldType,
      .environmentMissing, .bundleMismatch(found: nil), .appAppleIdMismatch(found: nil),
      .notificationShape, .signedDateInFuture:
      self = .transactionInvalid
    default: self = .transactionNotAuthentic(failure)
    }
  }

  /// Creates the failure for a receipt that was refused without asking Apple.
  init(_ failure: ReceiptFailure) {
    switch failure {
    case .bundleMismatch: self = .bundleMismatch
    case .environmentNotAllowed, .environmentUnknown: self = .environmentNotAllowed
    case .signatureInvalid, .chain, .certificateNotValidAt, .weakAlgorithmForbidden,
      .signerCertificateMissing, .signatureMissing, .signatureMalformed, .creationDateInFuture:
      self = .receiptNotAuthentic
    default: self = .receiptInvalid
    }
  }

  /// Creates the failure for a receipt about which Apple was asked.
  ///
  /// Source: entitlement rules, section 4.1.
  init(_ failure: VerifyReceiptFailure) {
    switch failure {
    case .refused(let refusal, _):
      switch refusal {
      case .input(let failure): self.init(failure)
      case .bundleMismatch: self = .bundleMismatch
      case .environmentNotAllowed, .wrongServer: self = .environmentNotAllowed
      case .notAuthenticated: self = .receiptNotAuthentic
      default: self = .receiptInvalid
      }
    // A receipt that Apple calls expired, without a word of what is in it, tells nothing either.
    case .transient(.malformedReceipt, _), .transient(.receiptMissing, _): self = .receiptInvalid
    case .transient: self = .appStoreUnavailable
    }
  }
}
