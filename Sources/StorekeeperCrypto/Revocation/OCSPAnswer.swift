/// A responder's correctly signed answer about a certificate (RFC 6960 section 2.2).
package enum OCSPAnswer: Hashable, Sendable {
  /// The certificate is not revoked; the next update is due at this time in seconds since 1970 UTC.
  case good(until: Int)
  /// The certificate is revoked; the next update is due at this time in seconds since 1970 UTC.
  case revoked(until: Int)
  case unknown
}

/// A reason why a responder's answer is inconclusive.
///
/// Anyone on the network path can cause each of these, so none speaks against the certificate.
package enum OCSPAnswerFailure: Error, Hashable, Sendable {
  /// The answer is not a basic OCSP response, has trailing bytes, or has unknown critical
  /// extensions.
  case malformed
  /// The responder returned this error status (RFC 6960 section 4.2.1), which is never signed.
  case declined(status: Int)
  /// The answer is not signed by the issuer or by a delegate of the issuer.
  case notAuthorized
  case otherCertificate
  case otherNonce
  /// The answer has expired, is from the future, or has no expiry.
  case stale
}
