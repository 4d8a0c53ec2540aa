internal import CStorekeeperOpenSSL

/// A digest of Apple's RSA signatures on receipts.
package enum RSADigest: Hashable, Sendable {
  /// SHA-1 (FIPS 180-4), in app receipts until about 2023 and in receipts of iOS 6.
  case sha1
  case sha256

  var algorithm: OpaquePointer? {
    switch self {
    case .sha1: unsafe EVP_sha1()
    case .sha256: unsafe EVP_sha256()
    }
  }

  var byteCount: Int {
    switch self {
    case .sha1: 20
    case .sha256: 32
    }
  }

  /// Returns the digest of bytes.
  package func digest(of bytes: ArraySlice<UInt8>) throws(OpenSSLFailure) -> [UInt8] {
    let start =
      switch self {
      case .sha1: Self.sha1Start
      case .sha256: Self.sha256Start
      }
    guard let start else { return try DigestPrefix([], self).digest(appending: bytes) }
    return try start.digest(appending: bytes)
  }

  // The states before the first byte, kept because OpenSSL looks up the algorithm for each new one;
  // nil on failure.
  private static let sha1Start = try? DigestPrefix([], .sha1)
  private static let sha256Start = try? DigestPrefix([], .sha256)
}

extension PublicKey {
  /// Returns whether an RSA signature with PKCS #1 v1.5 is valid for a message (RFC 8017 section
  /// 8.2.2).
  package func isValid(
    rsaSignature signature: [UInt8], of message: [UInt8], digest: RSADigest
  ) -> Bool {
    isValid(rsaSignature: signature[...], of: message[...], digest: digest)
  }

  /// Returns whether an RSA signature with PKCS #1 v1.5 is valid for a message.
  func isValid(
    rsaSignature signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, digest: RSADigest
  ) -> Bool {
    guard kind == .rsa, let hash = try? digest.digest(of: message) else { return false }
    return (try? isValid(signature, forDigest: hash, by: digest)) == true
  }

  /// Returns whether a signature is valid for a message: RSA with PKCS #1 v1.5, or ECDSA in ASN.1
  /// form.
  func isValid(
    signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, digest: SignatureAlgorithm.Digest
  ) -> Bool {
    switch digest {
    case .sha1:
      unsafe isValid(signature: signature, of: message, algorithm: EVP_sha1())
    case .sha256:
      unsafe isValid(signature: signature, of: message, algorithm: EVP_sha256())
    case .sha384:
      unsafe isValid(signature: signature, of: message, algorithm: EVP_sha384())
    case .sha512:
      unsafe isValid(signature: signature, of: message, algorithm: EVP_sha512())
    }
  }

  /// Returns whether a signature is valid for a message with a digest, or with the key's own if that is nil.
  func isValid(
    signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, algorithm: OpaquePointer?
  ) -> Bool {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let context = unsafe EVP_MD_CTX_new() else { return false }
    defer { unsafe EVP_MD_CTX_free(context) }
    guard unsafe EVP_DigestVerifyInit(context, nil, algorithm, nil, key) == 1 else {
      return false
    }
    return unsafe signature.withUnsafeBufferPointer { signature in
      unsafe message.withUnsafeBufferPointer { message in
        unsafe EVP_DigestVerify(
          context, signature.baseAddress, signature.count, message.baseAddress, message.count) == 1
      }
    }
  }
}

extension RSADigest {
  /// Whether the platform permits RSA signatures over this digest; some forbid SHA-1 for the whole
  /// process.
  package var isPermitted: Bool {
    // No signature is valid; one is only judged where the platform lets it be.
    let zeros = [UInt8](repeating: 0, count: byteCount)
    return (try? Self.anyKey?.isValid([], forDigest: zeros, by: self)) != nil
  }

  /// A public key for that test.
  ///
  /// Its SubjectPublicKeyInfo has an arbitrary odd modulus of 2048 bits and the exponent 65537; it
  /// has never signed anything.
  private static let anyKey: PublicKey? = {
    let modulus = [0x00, 0xC0] + [UInt8](repeating: 0x5A, count: 254) + [0x01]
    let header: [UInt8] = [
      0x30, 0x82, 0x01, 0x22, 0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01,
      0x01,
      0x01, 0x05, 0x00, 0x03, 0x82, 0x01, 0x0F, 0x00, 0x30, 0x82, 0x01, 0x0A, 0x02, 0x82, 0x01,
      0x01,
    ]
    return try? PublicKey(subjectPublicKeyInfo: header + modulus + [0x02, 3, 1, 0, 1])
  }()
}

extension Certificate {
  /// The digest of the signature, if it is RSA over a supported digest; otherwise nil.
  package var rsaDigest: RSADigest? {
    let algorithm = SignatureAlgorithm(der[outline.algorithm])
    guard let algorithm, algorithm.key == .rsa else { return nil }
    return switch algorithm.digest {
    case .sha1: .sha1
    case .sha256: .sha256
    case .sha384, .sha512: nil
    }
  }
}
