internal import COpenSSL

/// The digests that Apple's RSA signatures on receipts use.
package enum RSADigest: Hashable, Sendable {
  /// SHA-1 (FIPS 180-4), in receipts until about 2023 and in those of iOS 6.
  case sha1
  /// SHA-256 (FIPS 180-4).
  case sha256

  var algorithm: OpaquePointer? {
    switch self {
    case .sha1: unsafe EVP_sha1()
    case .sha256: unsafe EVP_sha256()
    }
  }
}

extension PublicKey {
  /// Whether a signature in RSA with PKCS#1 v1.5 fits a message (RFC 8017 section 8.2.2).
  package func isValid(
    rsaSignature signature: [UInt8], of message: [UInt8], digest: RSADigest
  ) -> Bool {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard kind == .rsa, let context = unsafe EVP_MD_CTX_new() else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestVerifyInit(context, nil, digest.algorithm, nil, key) == 1 else {
      return false
    }
    return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
  }

  /// Whether the platform lets this key verify signatures over such a digest; some forbid SHA-1
  /// for the whole process.
  package func isPermitted(_ digest: RSADigest) -> Bool {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let context = unsafe EVP_MD_CTX_new() else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    return unsafe EVP_DigestVerifyInit(context, nil, digest.algorithm, nil, key) == 1
  }
}

/// SHA-1 (FIPS 180-4), for the device hash of receipts only.
package enum SHA1 {
  /// The digest of some bytes.
  package static func digest(of bytes: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
    ERR_clear_error()
    var digest = [UInt8](repeating: 0, count: 20)
    guard unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha1(), nil) == 1 else {
      throw .taken()
    }
    return digest
  }
}

/// Whether two texts are the same, in a time that depends on their lengths only.
package func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}
