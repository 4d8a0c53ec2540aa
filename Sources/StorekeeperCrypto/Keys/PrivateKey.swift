internal import CStorekeeperOpenSSL

/// A private key for signing, which is never printed.
@safe
package final class PrivateKey: @unchecked Sendable {
  // Sendable because OpenSSL allows concurrent use of an EVP_PKEY that is not modified
  // (openssl-threads(7)), and every signature has its own context.
  package let handle: OpaquePointer

  /// Takes ownership of a key.
  package init(owning handle: OpaquePointer) {
    unsafe self.handle = handle
  }

  deinit {
    unsafe EVP_PKEY_free(handle)
  }

  /// Parses an unencrypted key in PEM: PKCS #8 (RFC 5958), as in Apple's `.p8` files, or SEC 1.
  ///
  /// An encrypted key is refused without a password prompt.
  package convenience init(pem: String) throws(OpenSSLFailure) {
    ERR_clear_error()
    let text = Array(pem.utf8)
    let parsed: OpaquePointer? = unsafe text.withUnsafeBytes { buffer in
      guard let bio = unsafe BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count))
      else { return nil }
      defer { unsafe BIO_free(bio) }
      // This callback returns no password; the default one would prompt at the terminal.
      return unsafe PEM_read_bio_PrivateKey(bio, nil, { _, _, _, _ in -1 }, nil)
    }
    guard let handle = unsafe parsed else { throw .taken() }
    unsafe self.init(owning: handle)
  }

  package var publicKey: PublicKey {
    get throws(OpenSSLFailure) {
      try PublicKey(subjectPublicKeyInfo: try unsafe derBytes { unsafe i2d_PUBKEY(handle, $0) })
    }
  }

  /// Signs a message: with PKCS #1 v1.5 for RSA keys, in ASN.1 form for elliptic-curve keys.
  package func signature(
    of message: [UInt8], digest: RSADigest = .sha256
  ) throws(OpenSSLFailure) -> [UInt8] {
    try unsafe signature(of: message, algorithm: digest.algorithm)
  }

  /// Signs a message with a digest, or with the key's own if that is nil.
  func signature(
    of message: [UInt8], algorithm: OpaquePointer?
  ) throws(OpenSSLFailure) -> [UInt8] {
    ERR_clear_error()
    guard let context = unsafe EVP_MD_CTX_new() else { throw .taken() }
    defer { unsafe EVP_MD_CTX_free(context) }
    var count = 0
    guard unsafe EVP_DigestSignInit(context, nil, algorithm, nil, handle) == 1,
      unsafe EVP_DigestSign(context, nil, &count, message, message.count) == 1
    else { throw .taken() }
    var signature = [UInt8](repeating: 0, count: count)
    guard unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
      throw .taken()
    }
    return Array(signature.prefix(count))
  }
}
