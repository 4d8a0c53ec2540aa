internal import CStorekeeperOpenSSL

/// The question whether a certificate is revoked, and what it takes to understand the answer
/// (RFC 6960 section 2.1).
package struct OCSPQuery: Sendable {
  /// The unsigned request in DER, to be sent to the responder.
  package let der: [UInt8]

  let certificateID: OCSPCertificateID
  let issuer: Certificate
  let nonce: [UInt8]?

  /// How many bytes a nonce should have: the most that RFC 8954 and the least that RFC 9654 lets a
  /// client send.
  package static let nonceCount = 32

  /// Asks about a certificate, whose issuer was verified.
  ///
  /// The nonce, 1 to 32 unpredictable bytes, tells a recorded answer from a fresh one; nil sends
  /// none. Responders may leave it out of the answer (RFC 5019 section 4).
  package init(
    about certificate: Certificate, issuedBy issuer: Certificate, nonce: [UInt8]?
  ) throws(OpenSSLFailure) {
    precondition((1...32).contains(nonce?.count ?? 1), "A nonce has 1 to 32 bytes (RFC 8954).")
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
    // On success the request owns the id.
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
}
