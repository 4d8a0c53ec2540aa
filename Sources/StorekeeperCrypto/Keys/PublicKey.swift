internal import CStorekeeperOpenSSL
internal import StorekeeperLocks

/// A public key for verifying signatures.
@safe
package final class PublicKey: @unchecked Sendable {
  // Sendable because OpenSSL allows concurrent use of an EVP_PKEY that is not modified
  // (openssl-threads(7)), and each verification context is used by one thread at a time.
  let key: OpaquePointer
  package let kind: Kind
  private let contexts = Locked<[VerificationContext]>([])

  /// The maximum number of idle contexts that are kept for later verifications.
  private static let keptContexts = 8

  /// Takes ownership of a key.
  init(owning key: OpaquePointer) {
    unsafe self.key = key
    kind = unsafe Kind(of: key)
  }

  deinit {
    unsafe EVP_PKEY_free(key)
  }

  /// Parses a SubjectPublicKeyInfo in DER (RFC 5280 section 4.1) that fills the bytes.
  package convenience init(subjectPublicKeyInfo bytes: [UInt8]) throws(OpenSSLFailure) {
    if let key = unsafe Self.usualKey(bytes) {
      unsafe self.init(owning: key)
      return
    }
    let parsed = unsafe parsedDER(bytes, free: { unsafe EVP_PKEY_free($0) }) { position, count in
      unsafe d2i_PUBKEY(nil, position, count)
    }
    guard let key = unsafe parsed else { throw .taken() }
    unsafe self.init(owning: key)
  }

  /// Creates an RSA key from its numbers, big-endian and positive.
  package convenience init(
    rsaModulus modulus: [UInt8], exponent: [UInt8]
  ) throws(OpenSSLFailure) {
    guard let key = unsafe Self.rsaKey(modulus: modulus, exponent: exponent) else {
      throw .taken()
    }
    unsafe self.init(owning: key)
  }

  /// A kind of key; all unsupported kinds are `other`.
  package enum Kind: Hashable, Sendable {
    case p256, p384, ed25519, rsa, other

    fileprivate init(of key: OpaquePointer) {
      self = .other
      if unsafe EVP_PKEY_is_a(key, "RSA") == 1 { self = .rsa }
      if unsafe EVP_PKEY_is_a(key, "ED25519") == 1 { self = .ed25519 }
      guard unsafe EVP_PKEY_is_a(key, "EC") == 1 else { return }
      var name = [CChar](repeating: 0, count: 64)
      guard unsafe EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else {
        ERR_clear_error()
        return
      }
      switch unsafe OBJ_txt2nid(name) {
      case NID_X9_62_prime256v1: self = .p256
      case NID_secp384r1: self = .p384
      default: return
      }
    }
  }

  var isRSA: Bool { kind == .rsa }

  /// Whether it is an elliptic-curve key.
  var isEllipticCurve: Bool {
    switch kind {
    case .p256, .p384: true
    case .ed25519, .rsa: false
    case .other: unsafe EVP_PKEY_is_a(key, "EC") == 1
    }
  }

  /// Whether it is not an elliptic-curve key, or its curve is named.
  ///
  /// Explicit parameters could describe a curve of an attacker's choice.
  var hasNamedCurve: Bool {
    guard kind == .other || kind == .p256 || kind == .p384, isEllipticCurve else { return true }
    var isExplicit: Int32 = 1
    let name = OSSL_PKEY_PARAM_EC_DECODED_FROM_EXPLICIT_PARAMS
    let found = unsafe EVP_PKEY_get_int_param(key, name, &isExplicit)
    if found != 1 { ERR_clear_error() }
    return found == 1 && isExplicit == 0
  }

  /// The size of the key in bits; for an RSA key, that of the modulus.
  package var bitCount: Int { Int(unsafe EVP_PKEY_get_bits(key)) }

  /// OpenSSL's estimate of the key's strength, in bits.
  var securityBits: Int { Int(unsafe EVP_PKEY_get_security_bits(key)) }

  /// The key as SubjectPublicKeyInfo in DER.
  package var subjectPublicKeyInfo: [UInt8] {
    get throws(OpenSSLFailure) {
      try unsafe derBytes { output in unsafe i2d_PUBKEY(key, output) }
    }
  }

  /// Returns whether a signature is valid for a digest (FIPS 186-5 section 6.4.2).
  ///
  /// - Throws: ``OpenSSLFailure`` if OpenSSL fails, but not for an invalid signature.
  package func isValid(
    _ signature: ECDSASignature, forDigest digest: [UInt8]
  ) throws(OpenSSLFailure) -> Bool {
    try isValid(signature.der[...], forDigest: digest, by: nil)
  }

  /// Returns whether a signature is valid for a digest that an algorithm made; for an elliptic curve
  /// the algorithm is nil.
  func isValid(
    _ signature: ArraySlice<UInt8>, forDigest digest: [UInt8], by algorithm: RSADigest?
  ) throws(OpenSSLFailure) -> Bool {
    let idle = contexts.withLock { contexts in
      contexts.lastIndex { $0.algorithm == algorithm }.map { contexts.remove(at: $0) }
    }
    let context = if let idle { idle } else { try unsafe VerificationContext(key, algorithm) }
    defer {
      contexts.withLock { if $0.count < Self.keptContexts { $0.append(context) } }
    }
    return context.isValid(signature, forDigest: digest)
  }
}

/// A prepared verification, reused because preparing one costs as much as decoding a payload.
@safe
private final class VerificationContext: @unchecked Sendable {
  // Sendable because it is either in the pool or used by the one thread that took it out.
  private let context: OpaquePointer
  let algorithm: RSADigest?

  init(_ key: OpaquePointer, _ algorithm: RSADigest?) throws(OpenSSLFailure) {
    ERR_clear_error()
    guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { throw .taken() }
    unsafe self.context = context
    self.algorithm = algorithm
    guard unsafe EVP_PKEY_verify_init(context) == 1 else { throw .taken() }
    if let algorithm {
      // Without a digest, OpenSSL would compare with bytes that do not name one.
      guard unsafe EVP_PKEY_CTX_set_signature_md(context, algorithm.algorithm) == 1 else {
        throw .taken()
      }
    }
  }

  deinit {
    unsafe EVP_PKEY_CTX_free(context)
  }

  func isValid(_ signature: ArraySlice<UInt8>, forDigest digest: [UInt8]) -> Bool {
    let verdict = unsafe signature.withUnsafeBufferPointer { signature in
      unsafe EVP_PKEY_verify(
        context, signature.baseAddress, signature.count, digest, digest.count)
    }
    if verdict != 1 { ERR_clear_error() }
    return verdict == 1
  }
}

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
