internal import CStorekeeperOpenSSL

/// A query for the revocation status of a certificate, which can verify the answer (RFC 6960
/// section 2.1).
package struct OCSPQuery: Sendable {
  package let der: [UInt8]

  let certificateID: OCSPCertificateID
  let issuer: Certificate
  let nonce: [UInt8]?

  /// The recommended size of a nonce in bytes: the maximum of RFC 8954 and the minimum of RFC 9654
  /// for clients.
  package static let nonceCount = 32

  /// Creates a query about a certificate, whose issuer must be verified.
  ///
  /// The nonce, 1 to 32 unpredictable bytes, distinguishes a new answer from a replayed one; nil
  /// sends none. Responders may leave it out of the answer (RFC 5019 section 4).
  package init(
    about certificate: Certificate, issuedBy issuer: Certificate, nonce: [UInt8]?
  ) throws(OpenSSLFailure) {
    precondition(
      (1...32).contains(nonce?.count ?? 1), "A nonce must have 1 to 32 bytes (RFC 8954).")
    certificateID = try OCSPCertificateID(of: certificate, issuedBy: issuer)
    der = try Self.request(about: certificateID, nonce: nonce)
    self.issuer = issuer
    self.nonce = nonce
  }

  private static func request(
    about certificateID: OCSPCertificateID, nonce: [UInt8]?
  ) throws(OpenSSLFailure) -> [UInt8] {
    ERR_clear_error()
    guard let request = unsafe OCSP_REQUEST_new() else { throw .taken() }
    defer { unsafe OCSP_REQUEST_free(request) }
    let id = try unsafe certificateID.makeHandle()
    // On success the request owns the identifier.
    guard unsafe OCSP_request_add0_id(request, id) != nil else {
      unsafe OCSP_CERTID_free(id)
      throw .taken()
    }
    if var nonce {
      guard unsafe OCSP_request_add1_nonce(request, &nonce, Int32(nonce.count)) == 1 else {
        throw .taken()
      }
    }
    return try unsafe derBytes { unsafe i2d_OCSP_REQUEST(request, $0) }
  }

  /// The maximum size of an answer in bytes; real ones have two to four thousand.
  package static let answerLimit = 65_536

  /// Verifies a responder's answer (RFC 6960 section 3.2).
  ///
  /// The answer must be signed by the issuer, or by a delegate that the issuer itself certified for
  /// signing such answers. It must be about this certificate, repeat the nonce if it has one, and
  /// be current at the given time. *Not* checked: whether the delegate is itself revoked.
  ///
  /// `bytes` is an untrusted OCSPResponse in DER; `now` is in seconds since 1970 UTC, and no other
  /// clock is used; `leeway` is the tolerated difference between the responder's clock and ours, in
  /// seconds.
  package func answer(
    from bytes: [UInt8], at now: Int, leeway: Int
  ) throws(OCSPAnswerFailure) -> OCSPAnswer {
    guard bytes.count <= Self.answerLimit else { throw .malformed }
    let response = try OCSPBasicResponse(der: bytes)
    try response.checkSignature(of: issuer, at: now)
    guard !response.demandsUnknown else { throw .malformed }
    try response.checkNonce(nonce)
    return try response.answer(about: certificateID, at: now, leeway: leeway)
  }
}

/// The identifier of a certificate in OCSP messages: the hashes of its issuer's name and key, and
/// its serial number (RFC 6960 section 4.1.1).
package struct OCSPCertificateID: Hashable, Sendable {
  let der: [UInt8]

  /// Creates the identifier of a certificate.
  ///
  /// The hashes are SHA-1, the only kind that every responder supports (RFC 5019 section 2.1.1).
  /// They only distinguish issuers; nothing is trusted because of them.
  package init(of certificate: Certificate, issuedBy issuer: Certificate) throws(OpenSSLFailure) {
    ERR_clear_error()
    guard let subject = unsafe certificate.handle, let issuer = unsafe issuer.handle,
      let id = unsafe OCSP_cert_to_id(EVP_sha1(), subject, issuer)
    else { throw .taken() }
    defer { unsafe OCSP_CERTID_free(id) }
    der = try unsafe derBytes { unsafe i2d_OCSP_CERTID(id, $0) }
  }

  /// Creates an identifier from one that OpenSSL keeps.
  package init(copying id: OpaquePointer) throws(OpenSSLFailure) {
    der = try unsafe derBytes { unsafe i2d_OCSP_CERTID(id, $0) }
  }

  /// Returns a copy for OpenSSL, which the caller owns.
  package func makeHandle() throws(OpenSSLFailure) -> OpaquePointer {
    let parsed = unsafe parsedDER(der, free: { unsafe OCSP_CERTID_free($0) }) { position, count in
      unsafe d2i_OCSP_CERTID(nil, position, count)
    }
    guard let id = unsafe parsed else { throw .taken() }
    return unsafe id
  }
}

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
