/// SHA-256 (FIPS 180-4).
package enum SHA256 {
  package static let byteCount = 32

  /// Returns the digest of bytes.
  package static func digest(of bytes: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
    try RSADigest.sha256.digest(of: bytes[...])
  }
}

/// SHA-1 (FIPS 180-4), only for the device hash of receipts.
package enum SHA1 {
  /// Returns the digest of bytes.
  package static func digest(of bytes: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
    try RSADigest.sha1.digest(of: bytes[...])
  }
}

/// A key for message authentication codes by HMAC with SHA-256 (RFC 2104, FIPS 198-1).
///
/// The key itself isn't kept, only the states of SHA-256 after its two paddings.
package struct HMACKey: Sendable {
  private let inner: DigestPrefix
  private let outer: DigestPrefix

  /// The number of bytes that SHA-256 takes in at once.
  private static let blockSize = 64

  /// Creates a key of any length.
  package init(_ key: [UInt8]) throws(OpenSSLFailure) {
    var block = key.count > Self.blockSize ? try SHA256.digest(of: key) : key
    block += [UInt8](repeating: 0, count: Self.blockSize - block.count)
    inner = try DigestPrefix(block.map { $0 ^ 0x36 }[...])
    outer = try DigestPrefix(block.map { $0 ^ 0x5C }[...])
  }

  /// Returns the code of a message, 32 bytes.
  package func code(of message: ArraySlice<UInt8>) throws(OpenSSLFailure) -> [UInt8] {
    try outer.digest(appending: try inner.digest(appending: message)[...])
  }
}
