internal import CStorekeeperOpenSSL

// Ed25519 (RFC 8032 section 5.1), whose signatures JSON Web Signatures call EdDSA (RFC 8037).

extension PrivateKey {
  /// Creates a key of Ed25519 from its 32 bytes (RFC 8032 section 5.1.5); nil if there are not as many.
  package convenience init?(ed25519Seed seed: [UInt8]) {
    guard seed.count == 32,
      let handle = unsafe EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed, seed.count)
    else { return nil }
    unsafe self.init(owning: handle)
  }

  /// Signs a message with Ed25519; the signature has 64 bytes and is the same each time.
  ///
  /// - Throws: ``OpenSSLFailure``, also if the key is of another kind.
  package func ed25519Signature(of message: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
    guard unsafe EVP_PKEY_is_a(handle, "ED25519") == 1 else { throw OpenSSLFailure(code: 0) }
    // The algorithm hashes the message itself, twice, so that it is given no digest (section 5.1.6).
    return try unsafe signature(of: message, algorithm: nil)
  }
}

extension PublicKey {
  /// Returns whether an Ed25519 signature is valid for a message; false for a key of another kind.
  ///
  /// Only one of the values that S stands for is accepted, the one below the order of the group (RFC 8032 section
  /// 5.1.7), so that nobody can change a signature into another valid one.
  package func isValid(ed25519Signature signature: [UInt8], of message: [UInt8]) -> Bool {
    guard kind == .ed25519, signature.count == 64 else { return false }
    return unsafe isValid(signature: signature[...], of: message[...], algorithm: nil)
  }

  /// The key without its name and form: 32 bytes of an Ed25519 key (RFC 8032 section 5.1.5), and x ‖ y, 32 bytes
  /// each, of one on P-256.
  ///
  /// Nil for other kinds, and for a point that is kept in another form than the uncompressed one.
  package var rawBytes: [UInt8]? {
    guard let info = try? subjectPublicKeyInfo, let header = Self.header(of: kind),
      info.starts(with: header)
    else { return nil }
    return Array(info.dropFirst(header.count))
  }

  /// Creates a key of ``rawBytes``; nil if they are no key of the kind.
  package convenience init?(rawBytes: [UInt8], kind: Kind) {
    guard let header = Self.header(of: kind), rawBytes.count == (kind == .p256 ? 64 : 32) else {
      return nil
    }
    try? self.init(subjectPublicKeyInfo: header + rawBytes)
  }

  /// The SubjectPublicKeyInfo up to the raw bytes (RFC 8410 section 4, RFC 5480 section 2).
  private static func header(of kind: Kind) -> [UInt8]? {
    switch kind {
    case .ed25519: [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]
    case .p256: p256Header
    case .p384, .rsa, .other: nil
    }
  }
}
