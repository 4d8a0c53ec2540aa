public import JSONValues
public import ReceiptModels

/// A reason why signed data was refused, in the order of the checks.
///
/// No data of a refused token is released, except with ``payloadMalformed(_:)`` and
/// ``fieldType(_:payload:)``, whose bytes are verified and can be stored. An index is the position
/// of a certificate in the chain: 0 for the leaf, 1 for the intermediate, 2 for the root. Source:
/// `Documentation/rules/app-store-rules.md`.
@nonexhaustive
public enum SignedDataFailure: Error, Hashable, Sendable {
  // MARK: Form

  /// The token is longer than the limit, in bytes; nothing else was checked.
  case tokenTooLarge(limit: Int)
  /// There are not exactly three segments, or the header or payload is empty.
  case malformedToken
  /// A segment is not strict base64url (RFC 7515 section 2).
  case badEncoding(TokenSegment)
  case malformedHeader
  /// The header has a `crit` member, whatever its value (RFC 7515 section 4.1.11).
  case criticalHeader
  /// The header's `alg` is not `ES256`; nil when it is missing or not a string.
  case unsupportedAlgorithm(String?)

  // MARK: Certificates

  case missingCertificateChain
  /// There are not exactly three certificates.
  case wrongChainLength(Int)
  /// The certificate at this index is not standard base64 (RFC 7515 section 4.1.6).
  case certificateEncoding(Int)
  /// The certificate at this index is larger than 16 KiB.
  case certificateTooLarge(Int)
  /// The signature is not 64 bytes with two numbers from 1 up to the order of the curve.
  case signatureMalformed

  // MARK: Trust and time

  /// The signing date in the data is more than five minutes ahead of the current time.
  case signedDateInFuture
  case chain(ChainFault)
  /// The signature is invalid: the data was altered, or signed with another key.
  case signatureInvalid

  // MARK: Online check

  case certificateRevoked(Int)
  /// Apple's responder does not know the certificate at this index.
  case certificateStatusUnknown(Int)
  /// The online check was inconclusive; nothing is known against the certificates.
  case onlineCheckFailed(OnlineCheckFailure)

  // MARK: Content

  /// The payload is authentic, but not a JSON object.
  case payloadMalformed(VerifiedBytes)
  /// The payload is authentic, but a field has a type that Apple does not document.
  case fieldType(FieldTypeFailure, payload: VerifiedBytes)

  // MARK: Identity

  case environmentMissing
  case environmentUnknown(String)
  /// The payload belongs to an environment that this verifier does not accept.
  case environmentNotAllowed(AppStoreEnvironment)
  /// The payload belongs to another app, or names none.
  case bundleMismatch(found: String?)
  /// The payload belongs to another app, or names none, by Apple's number for the app.
  case appAppleIdMismatch(found: Int?)

  // MARK: Notification

  /// The notification has this many of `data`, `summary`, `externalPurchaseToken` and `appData`,
  /// instead of exactly one.
  case notificationShape(count: Int)
  /// Signed data inside a notification was refused.
  indirect case nested(NestedToken, SignedDataFailure)
  /// Signed data inside a notification contradicts the notification.
  case nestedMismatch(NestedField)

  /// Whether the data is authentic, but does not fit the models of this version.
  ///
  /// Apple signed it, so the models are out of date: notify the operator, and see
  /// ``SignedDataVerifier/undecodedNotification(_:)``.
  public var isUndecoded: Bool {
    switch self {
    case .payloadMalformed, .fieldType: true
    case .nested(_, let reason): reason.isUndecoded
    default: false
    }
  }

  /// The path of the field that could not be decoded, such as
  /// `data.signedTransactionInfo.storefrontId`; empty for the whole payload, nil unless
  /// ``isUndecoded``.
  public var undecodedPath: String? {
    switch self {
    case .payloadMalformed: ""
    case .fieldType(let failure, _): failure.path
    case .nested(let token, let reason):
      reason.undecodedPath.map { $0.isEmpty ? token.path : "\(token.path).\($0)" }
    default: nil
    }
  }

  /// Whether the same token may be accepted on another attempt.
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
  case header
  case payload
  case signature
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
  case environment(NestedToken)
  case bundleID(NestedToken)
  /// The original transaction IDs of transaction and renewal info.
  case originalTransactionID
}

/// Bytes whose signature was verified, kept out of logs.
///
/// Empty in a failure of ``LocalTestDataReader``, which verifies no signatures.
public struct VerifiedBytes: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  public let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes, never the bytes.
  public var description: String { "\(bytes.count) verified bytes" }

  /// An empty mirror, so that `dump` shows no customer data.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
