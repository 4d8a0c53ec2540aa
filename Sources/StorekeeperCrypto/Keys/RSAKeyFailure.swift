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
  /// OpenSSL could not use the key.
  case openSSL
}
