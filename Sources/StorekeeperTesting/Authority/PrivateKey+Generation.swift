internal import CStorekeeperOpenSSL
package import StorekeeperCrypto

extension PrivateKey {
  /// A kind of key that can be generated.
  package enum Generated: Hashable, Sendable {
    /// An elliptic-curve key.
    case p256, p384
    case rsa2048
    case ed25519
  }

  /// Generates a key.
  package convenience init(generating kind: Generated) throws(OpenSSLFailure) {
    ERR_clear_error()
    let made =
      switch kind {
      case .p256: unsafe copenssl_ec_generate("P-256")
      case .p384: unsafe copenssl_ec_generate("P-384")
      case .rsa2048: unsafe copenssl_rsa_generate(2048)
      case .ed25519: unsafe copenssl_ed25519_generate()
      }
    guard let handle = unsafe made else { throw .taken() }
    unsafe self.init(owning: handle)
  }

  /// The key as unencrypted PKCS #8 in PEM.
  package var pem: String {
    get throws(OpenSSLFailure) {
      ERR_clear_error()
      guard let bio = unsafe BIO_new(BIO_s_mem()) else { throw .taken() }
      defer { unsafe BIO_free(bio) }
      guard unsafe PEM_write_bio_PKCS8PrivateKey(bio, handle, nil, nil, 0, nil, nil) == 1 else {
        throw .taken()
      }
      var start: UnsafePointer<UInt8>?
      let count = unsafe copenssl_bio_bytes(bio, &start)
      let bytes = unsafe UnsafeBufferPointer(start: start, count: count)
      return unsafe String(decoding: bytes, as: UTF8.self)
    }
  }
}
