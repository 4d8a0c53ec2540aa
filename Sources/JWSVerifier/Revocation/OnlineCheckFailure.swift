internal import HTTPMessages
internal import StorekeeperCrypto

/// A reason why an online check of certificates was inconclusive.
///
/// None of these speaks against the certificates, because anyone on the network path can cause
/// them. The exception is ``noResponder``, which the configuration refuses permanently. Source:
/// `Documentation/rules/app-store-rules.md`.
@nonexhaustive
public enum OnlineCheckFailure: Error, Hashable, Sendable {
  case transport
  case timeBudgetSpent
  case cancelled
  /// The responder answered with this HTTP status instead of 200.
  case httpStatus(Int)
  /// The responder returned this OCSP status instead of success (RFC 6960 section 4.2.1).
  case responderStatus(Int)
  /// The answer is not an OCSP response, or is too large.
  case malformedAnswer
  /// The answer is not signed by the issuer or by a responder that the issuer authorized.
  case answerNotAuthorized
  case otherCertificate
  case otherNonce
  /// The answer has expired, is from the future, or has no expiry.
  case staleAnswer
  /// The certificate names no responder, and the configuration requires one.
  case noResponder
}

extension OnlineCheckFailure {
  /// Creates the failure for an error of an exchange.
  init(_ error: any Error) {
    switch error {
    case let failure as OCSPAnswerFailure: self.init(failure)
    case let failure as HTTPTransportFailure: self.init(failure.reason)
    // This includes requests that OpenSSL could not build for lack of memory.
    default: self = .transport
    }
  }

  private init(_ failure: OCSPAnswerFailure) {
    switch failure {
    case .malformed: self = .malformedAnswer
    case .declined(let status): self = .responderStatus(status)
    case .notAuthorized: self = .answerNotAuthorized
    case .otherCertificate: self = .otherCertificate
    case .otherNonce: self = .otherNonce
    case .stale: self = .staleAnswer
    }
  }

  private init(_ reason: HTTPTransportFailure.Reason) {
    switch reason {
    // Both limits were set by the checker.
    case .timedOut: self = .timeBudgetSpent
    case .responseTooLarge: self = .malformedAnswer
    default: self = .transport
    }
  }
}
