/// A public RSA key for verifying RS256.
package struct RSAPublicKey: Sendable {
  /// The accepted sizes of a modulus in bits.
  ///
  /// RFC 7518 section 3.3 requires at least 2048; the maximum bounds the time of a verification.
  package static let bitCounts = 2048...8192

  package let bitCount: Int

  private let key: PublicKey

  /// Takes a key that was read elsewhere.
  ///
  /// - Throws: ``RSAKeyFailure``: `notRSA` or `bitCount`.
  package init(_ key: PublicKey) throws(RSAKeyFailure) {
    guard key.kind == .rsa else { throw .notRSA }
    guard Self.bitCounts.contains(key.bitCount) else { throw .bitCount(key.bitCount) }
    self.key = key
    bitCount = key.bitCount
  }

  /// Reads the numbers of a JSON Web Key, which are big-endian in base64url (RFC 7518 section 6.3.1).
  ///
  /// - Parameters:
  ///   - modulus: The member `n`, an odd number of 2048 to 8192 bits.
  ///   - exponent: The member `e`, an odd number from 3 to 2⁶⁴ − 1.
  /// - Throws: ``RSAKeyFailure``: `modulus`, `exponent`, `bitCount` or `openSSL`.
  package init(modulus: String, exponent: String) throws(RSAKeyFailure) {
    guard let modulus = Self.oddNumber(modulus) else { throw .modulus }
    // Beyond 64 bits OpenSSL itself refuses an exponent, because verifying would take too long.
    guard let exponent = Self.oddNumber(exponent), exponent.count <= 8, exponent != [1] else {
      throw .exponent
    }
    let bits = modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
    guard Self.bitCounts.contains(bits) else { throw .bitCount(bits) }
    guard let key = try? PublicKey(rsaModulus: modulus, exponent: exponent) else { throw .openSSL }
    try self.init(key)
  }

  /// Returns whether a signature with RSASSA-PKCS1-v1_5 and SHA-256 is valid for a message
  /// (RFC 8017 section 8.2.2), which is RS256 in RFC 7518 section 3.3.
  package func isValid(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    key.isValid(rsaSignature: signature, of: message, digest: .sha256)
  }

  /// The members `n` and `e` of the JSON Web Key for this key.
  package var webKeyNumbers: (modulus: String, exponent: String) {
    get throws(RSAKeyFailure) {
      guard let info = try? key.subjectPublicKeyInfo, let numbers = try? RSANumbers(info) else {
        throw .openSSL
      }
      return (
        Base64.encode(info[numbers.modulus], .url), Base64.encode(info[numbers.exponent], .url)
      )
    }
  }

  /// Decodes an odd number without a leading zero, or returns nil; a text that is too long for any
  /// accepted key is not decoded.
  private static func oddNumber(_ text: String) -> [UInt8]? {
    guard text.utf8.count <= bitCounts.upperBound / 4,
      let bytes = Base64.decode(Array(text.utf8)[...], .url),
      let first = bytes.first, first != 0, let last = bytes.last, !last.isMultiple(of: 2)
    else { return nil }
    return bytes
  }
}
