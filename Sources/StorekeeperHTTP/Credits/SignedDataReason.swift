package import JWSVerifier

/// The reason for refusing signed data or a purchase, as clients see it.
///
/// Source: credit rules, section 2.
package enum SignedDataReason: String, Hashable, Sendable, CaseIterable {
  case malformed
  case chainInvalid = "chain_invalid"
  case signatureInvalid = "signature_invalid"
  case bundleIDMismatch = "bundle_id_mismatch"
  case environmentNotAllowed = "environment_not_allowed"
  case payloadInvalid = "payload_invalid"
  case transactionIDMismatch = "transaction_id_mismatch"
  case appAccountTokenMismatch = "app_account_token_mismatch"
  case amountOutOfRange = "amount_out_of_range"
  /// Google Play knows no such purchase; by addition.
  case purchaseNotFound = "purchase_not_found"

  /// The reason for a failure of the verifier, or nil if the status of a certificate is unknown.
  package init?(_ failure: SignedDataFailure) {
    switch failure {
    case .onlineCheckFailed: return nil
    case .tokenTooLarge, .malformedToken, .badEncoding, .malformedHeader, .criticalHeader,
      .unsupportedAlgorithm, .missingCertificateChain:
      self = .malformed
    case .wrongChainLength, .certificateEncoding, .certificateTooLarge, .chain, .certificateRevoked,
      .certificateStatusUnknown:
      self = .chainInvalid
    case .signatureMalformed, .signatureInvalid: self = .signatureInvalid
    case .bundleMismatch(found: .some), .appAppleIdMismatch(found: .some): self = .bundleIDMismatch
    case .environmentUnknown, .environmentNotAllowed: self = .environmentNotAllowed
    case .signedDateInFuture, .payloadMalformed, .fieldType, .environmentMissing,
      .bundleMismatch(found: nil), .appAppleIdMismatch(found: nil), .notificationShape,
      .nestedMismatch:
      self = .payloadInvalid
    case .nested(_, let reason):
      switch SignedDataReason(reason) {
      case nil: return nil
      // Inside a notification, both differ from those of the notification (section 10).
      case .bundleIDMismatch, .environmentNotAllowed: self = .payloadInvalid
      case let inner?: self = inner
      }
    }
  }
}
