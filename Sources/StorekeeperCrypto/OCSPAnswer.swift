/// What a responder says of a certificate, correctly signed (RFC 6960 section 2.2).
package enum OCSPAnswer: Hashable, Sendable {
  /// It is not revoked, and no news is due before this second since 1970 UTC.
  case good(until: Int)
  /// It is revoked, and no news is due before this second since 1970 UTC.
  case revoked(until: Int)
  /// The responder does not know it.
  case unknown
}

/// Why an answer of a responder says nothing.
///
/// Anyone on the way can cause each of these, so none speaks against the certificate.
package enum OCSPAnswerFailure: Error, Hashable, Sendable {
  /// It is no OCSP response of the basic type, has bytes too many, or demands what we do not know.
  case malformed
  /// The responder declined with this status (RFC 6960 section 4.2.1), unsigned as it always is.
  case declined(status: Int)
  /// It is not signed by the issuer or by a delegate of the issuer.
  case notAuthorized
  /// It is about another certificate.
  case otherCertificate
  /// It carries another nonce than the query.
  case otherNonce
  /// It is too old, from the future, or does not say until when it holds.
  case stale
}
