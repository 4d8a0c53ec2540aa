public import JSONValues
public import ReceiptModels

/// Why signed data was refused; one case a reason, in the order of the checks.
///
/// Nothing of a refused token is released, but for ``payloadMalformed(_:)`` and
/// ``fieldType(_:payload:)``, whose bytes are verified and can be stored.
///
/// Source: contract on signed data, sections 1.1 and 2.2.
@nonexhaustive
public enum SignedDataFailure: Error, Hashable, Sendable {
  // MARK: Form

  /// The token is longer than the limit, in bytes; nothing else was looked at.
  case tokenTooLarge(limit: Int)
  /// There are not exactly three segments, or the header or payload is empty.
  case malformedToken
  /// A segment is not strict base64url (RFC 7515 section 2).
  case badEncoding(TokenSegment)
  /// The header is no JSON object.
  case malformedHeader
  /// The header has a `crit` member, whatever its value (RFC 7515 section 4.1.11).
  case criticalHeader
  /// The header's `alg` is not `ES256`; nil when it is missing or no string.
  case unsupportedAlgorithm(String?)

  // MARK: Certificates

  /// The header has no `x5c` that is an array of strings.
  case missingCertificateChain
  /// There are not exactly three certificates.
  case wrongChainLength(Int)
  /// The certificate at this place is not standard base64 (RFC 7515 section 4.1.6).
  case certificateEncoding(Int)
  /// The certificate at this place is larger than 16 KiB.
  case certificateTooLarge(Int)
  /// The certificate at this place is not exactly one X.509 certificate in DER.
  case certificateMalformed(Int)
  /// The signature is not 64 bytes holding two numbers from 1 to the order of the curve.
  case signatureMalformed

  // MARK: Trust and time

  /// The time that the data itself gives lies more than five minutes ahead.
  case signedDateInFuture
  /// The chain does not end at a trust anchor.
  case untrustedRoot
  /// The chain is broken.
  case chainInvalid(ChainFault)
  /// The certificate at this place issued another, but is no certificate authority.
  case notACertificateAuthority(Int)
  /// The certificate at this place had ended at the time chosen by the clock policy.
  case certificateExpired(Int)
  /// The certificate at this place was not valid yet at the time chosen by the clock policy.
  case certificateNotYetValid(Int)
  /// The intermediate lacks Apple's mark for its Worldwide Developer Relations authority.
  case missingIntermediateMarker
  /// The leaf lacks Apple's mark for signing App Store data.
  case missingLeafMarker
  /// The leaf's key is not an elliptic-curve key on P-256.
  case unsupportedLeafKey
  /// The signature does not fit: the data was altered, or somebody else signed it.
  case signatureInvalid

  // MARK: Online check

  /// Apple has revoked the certificate at this place.
  case certificateRevoked(Int)
  /// Apple's responder does not know the certificate at this place.
  case certificateStatusUnknown(Int)
  /// Apple could not be asked, or not be understood; nothing is known against the certificate.
  case onlineCheckFailed(OnlineCheckFailure)

  // MARK: Content

  /// The payload is authentic, but no JSON object.
  case payloadMalformed(VerifiedBytes)
  /// The payload is authentic, but a field has another type than Apple documents.
  case fieldType(FieldTypeFailure, payload: VerifiedBytes)

  // MARK: Identity

  /// The payload names no environment.
  case environmentMissing
  /// The payload names an environment that Apple does not document.
  case environmentUnknown(String)
  /// The payload is of an environment that this verifier does not accept.
  case environmentNotAllowed(AppStoreEnvironment)
  /// The payload is of another app, or names none.
  case bundleMismatch(found: String?)
  /// The payload is of another app, or names none, by the number that Apple gave the app.
  case appAppleIdMismatch(found: Int?)

  // MARK: Notification

  /// A notification does not have exactly one of `data`, `summary`, `externalPurchaseToken` and
  /// `appData`.
  case notificationShape(count: Int)
  /// Signed data inside a notification was refused.
  indirect case nested(NestedToken, SignedDataFailure)
  /// Signed data inside a notification contradicts the notification.
  case nestedMismatch(NestedField)

  /// Whether the data is authentic, but not as the models of this version have it.
  ///
  /// Apple said it, so it is the model that is behind: tell the operator, and see
  /// ``SignedDataVerifier/undecodedNotification(_:)``.
  public var isUndecoded: Bool {
    switch self {
    case .payloadMalformed, .fieldType: true
    case .nested(_, let reason): reason.isUndecoded
    default: false
    }
  }

  /// The path of the field that could not be decoded, such as
  /// `data.signedTransactionInfo.storefrontId`; nil unless ``isUndecoded``, empty for the whole.
  public var undecodedPath: String? {
    switch self {
    case .payloadMalformed: ""
    case .fieldType(let failure, _): failure.path
    case .nested(let token, let reason):
      reason.undecodedPath.map { $0.isEmpty ? token.path : "\(token.path).\($0)" }
    default: nil
    }
  }

  /// Whether the same token may be accepted when it is tried again.
  public var isRetryable: Bool {
    switch self {
    // A certificate that names no responder will not name one later.
    case .onlineCheckFailed(let cause): cause != .noResponder
    case .nested(_, let reason): reason.isRetryable
    default: false
    }
  }
}

/// One of the three segments of a compact JWS (RFC 7515 section 7.1).
public enum TokenSegment: String, Hashable, Sendable {
  /// The first segment: algorithm and certificates.
  case header
  /// The second segment: the data.
  case payload
  /// The third segment.
  case signature
}

/// What is wrong with a certificate chain.
@nonexhaustive
public enum ChainFault: Hashable, Sendable {
  /// The certificate at this place names another issuer than the one that follows.
  case issuerName(Int)
  /// The certificate at this place is not signed by the one that follows.
  case signature(Int)
  /// The certificate at this place has a key that may not sign certificates.
  case keyUsage(Int)
  /// The certificate at this place issued another, but is no certificate authority; of a token
  /// this is a reason of its own.
  case notAnAuthority(Int)
  /// More authorities follow below an authority than it allows.
  case pathLength
  /// The leaf is itself a certificate authority.
  case leafIsAuthority
  /// The certificate at this place has a critical extension of this type, which nobody checked.
  case criticalExtension(Int, type: String)
  /// The certificate at this place limits names, which Apple's never do and nobody checked.
  case nameConstraints(Int)
  /// The certificate at this place was refused by OpenSSL with this number (`X509_V_ERR_…`).
  case refused(Int, code: Int)
}

/// Signed data inside a notification.
@nonexhaustive
public enum NestedToken: String, CaseIterable, Hashable, Sendable {
  /// `data.signedTransactionInfo`
  case transaction
  /// `data.signedRenewalInfo`
  case renewalInfo
  /// `appData.signedAppTransactionInfo`
  case appTransaction

  /// Where the token is in the notification.
  var path: String {
    switch self {
    case .transaction: "data.signedTransactionInfo"
    case .renewalInfo: "data.signedRenewalInfo"
    case .appTransaction: "appData.signedAppTransactionInfo"
    }
  }
}

/// A field in which a notification and the signed data inside it differ.
@nonexhaustive
public enum NestedField: Hashable, Sendable {
  /// The environment.
  case environment(NestedToken)
  /// The bundle id.
  case bundleID(NestedToken)
  /// The original transaction ids of transaction and renewal info.
  case originalTransactionID
}

/// Why an online check of certificates came to no result.
///
/// Nothing here speaks against the certificates: anyone on the way can cause it, but for
/// ``noResponder``, which the configuration refuses for good.
///
/// Source: contract on signed data, section 1.5.
@nonexhaustive
public enum OnlineCheckFailure: Error, Hashable, Sendable {
  /// The request failed on its way.
  case transport
  /// The time budget of the verification was spent.
  case timeBudgetSpent
  /// The task that asked was cancelled.
  case cancelled
  /// The responder answered with this HTTP status instead of 200.
  case httpStatus(Int)
  /// The responder declined with this OCSP response status (RFC 6960 section 4.2.1).
  case responderStatus(Int)
  /// The answer is no OCSP response, or larger than accepted.
  case malformedAnswer
  /// The answer is not signed by the issuer or by somebody it authorised.
  case answerNotAuthorized
  /// The answer is about another certificate.
  case otherCertificate
  /// The answer repeats another nonce than the one sent.
  case otherNonce
  /// The answer is too old, from the future, or does not say until when it holds.
  case staleAnswer
  /// The certificate names no responder, and the configuration asks for one.
  case noResponder
}

/// Bytes whose signature was verified, kept out of logs.
///
/// Empty in a failure of ``LocalTestDataReader``, which verifies none.
public struct VerifiedBytes: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The bytes.
  public let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes, never the bytes.
  public var description: String { "\(bytes.count) verified bytes" }

  /// Empty, so that `dump` shows no data of a customer.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
