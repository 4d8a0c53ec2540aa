internal import CStorekeeperOpenSSL

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
