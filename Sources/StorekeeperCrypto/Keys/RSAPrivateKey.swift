/// A private RSA key for signing with RS256, which is never printed.
package struct RSAPrivateKey: Sendable, CustomStringConvertible, CustomReflectable {
  private let key: PrivateKey

  /// The public key, for verifying what this key signs.
  package let publicKey: RSAPublicKey

  /// Parses an unencrypted key in PEM: PKCS #8 (RFC 5958), as in the key files of Google's service
  /// accounts.
  ///
  /// - Throws: ``RSAKeyFailure``: `malformed`, `notRSA`, or `bitCount` below 2048 or above 8192.
  package init(pem: String) throws(RSAKeyFailure) {
    guard let key = try? PrivateKey(pem: pem) else { throw .malformed }
    try self.init(key)
  }

  /// Takes a key that was read or generated elsewhere.
  ///
  /// - Throws: ``RSAKeyFailure``: `malformed`, `notRSA` or `bitCount`.
  package init(_ key: PrivateKey) throws(RSAKeyFailure) {
    guard let publicKey = try? key.publicKey else { throw .malformed }
    self.key = key
    self.publicKey = try RSAPublicKey(publicKey)
  }

  /// Signs a message with RSASSA-PKCS1-v1_5 and SHA-256 (RFC 8017 section 8.2.1), which is RS256 in
  /// RFC 7518 section 3.3.
  ///
  /// - Throws: ``RSAKeyFailure/openSSL``, for example if the numbers of the key do not fit together.
  package func signature(of message: [UInt8]) throws(RSAKeyFailure) -> [UInt8] {
    guard let signature = try? key.signature(of: message, digest: .sha256) else { throw .openSSL }
    return signature
  }

  package var description: String { "RSAPrivateKey(\(publicKey.bitCount) bits)" }

  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A reason why an RSA key is refused, or cannot sign.
package enum RSAKeyFailure: Error, Hashable, Sendable {
  /// The text is not an unencrypted private key in PEM.
  case malformed
  /// The key is of another kind, such as one on an elliptic curve.
  case notRSA
  /// The modulus has this number of bits, which is outside ``RSAPublicKey/bitCounts``.
  case bitCount(Int)
  /// The modulus is not base64url of an odd number without a leading zero.
  case modulus
  /// The exponent is not base64url of an odd number from 3 to 2⁶⁴ − 1 without a leading zero.
  case exponent
  case openSSL
}
