internal import CStorekeeperOpenSSL

extension PublicKey {
  /// Parses a SubjectPublicKeyInfo in PEM, with the label `PUBLIC KEY` (RFC 7468 section 13).
  ///
  /// A key on a curve that is described instead of named is refused.
  package convenience init(pem: String) throws(OpenSSLFailure) {
    ERR_clear_error()
    let text = Array(pem.utf8)
    let parsed: OpaquePointer? = unsafe text.withUnsafeBytes { buffer in
      guard let bio = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count))
      else { return nil }
      defer { unsafe BIO_free(bio) }
      // This callback returns no password; the default one would prompt at the terminal.
      return unsafe PEM_read_bio_PUBKEY(bio, nil, { _, _, _, _ in -1 }, nil)
    }
    guard let key = unsafe parsed else { throw .taken() }
    unsafe self.init(owning: key)
    guard hasNamedCurve else { throw .taken() }
  }
}
