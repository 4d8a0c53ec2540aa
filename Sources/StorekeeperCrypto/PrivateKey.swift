internal import CStorekeeperOpenSSL

/// A private key, which signs; it never shows itself.
@safe
package final class PrivateKey: @unchecked Sendable {
  // Sendable because OpenSSL allows concurrent use of an EVP_PKEY that nobody changes
  // (openssl-threads(7)); every signature has a context of its own.
  let handle: OpaquePointer

  /// Owns the key from here on.
  private init(owning handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit {
    unsafe EVP_PKEY_free(handle)
  }

  /// The kinds of keys that can be made.
  package enum Generated: Hashable, Sendable {
    /// An elliptic-curve key.
    case p256, p384
    /// An RSA key of 2048 bits.
    case rsa2048
  }

  /// Makes a new key.
  package convenience init(generating kind: Generated) throws(OpenSSLFailure) {
    ERR_clear_error()
    let made =
      switch kind {
      case .p256: unsafe copenssl_ec_generate("P-256")
      case .p384: unsafe copenssl_ec_generate("P-384")
      case .rsa2048: unsafe copenssl_rsa_generate(2048)
      }
    guard let handle = unsafe made else { throw .taken() }
    unsafe self.init(owning: handle)
  }

  /// Reads an unencrypted key in PEM (PKCS#8, RFC 5958, as Apple's `.p8` files; or SEC 1).
  ///
  /// An encrypted key is refused; nothing is ever asked for at a terminal.
  package convenience init(pem: String) throws(OpenSSLFailure) {
    ERR_clear_error()
    let text = Array(pem.utf8)
    let parsed: OpaquePointer? = unsafe text.withUnsafeBytes { buffer in
      guard let bio = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count))
      else { return nil }
      defer { unsafe BIO_free(bio) }
      // A callback that gives no password; the default one would ask at the terminal.
      return unsafe PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
    }
    guard let handle = unsafe parsed else { throw .taken() }
    unsafe self.init(owning: handle)
  }

  /// The public half.
  package var publicKey: PublicKey {
    get throws(OpenSSLFailure) {
      try PublicKey(subjectPublicKeyInfo: try unsafe derBytes { unsafe i2d_PUBKEY(handle, $0) })
    }
  }

  /// The key as unencrypted PKCS#8 in PEM.
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

  /// A signature of a message, hashed with SHA-256 unless told otherwise: for RSA keys PKCS#1 v1.5,
  /// for elliptic-curve keys in ASN.1 form.
  package func signature(
    of message: [UInt8], digest: RSADigest = .sha256
  ) throws(OpenSSLFailure) -> [UInt8] {
    ERR_clear_error()
    guard let context = unsafe EVP_MD_CTX_new() else { throw .taken() }
    defer { unsafe EVP_MD_CTX_free(context) }
    var count = 0
    guard unsafe EVP_DigestSignInit(context, nil, digest.algorithm, nil, handle) == 1,
      unsafe EVP_DigestSign(context, nil, &count, message, message.count) == 1
    else { throw .taken() }
    var signature = [UInt8](repeating: 0, count: count)
    guard unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
      throw .taken()
    }
    return Array(signature.prefix(count))
  }
}
