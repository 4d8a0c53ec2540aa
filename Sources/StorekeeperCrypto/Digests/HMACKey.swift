/// A key for message authentication codes by HMAC with SHA-256 (RFC 2104, FIPS 198-1).
///
/// The key itself isn't kept, only the states of SHA-256 after its two paddings.
package struct HMACKey: Sendable {
  private let inner: SHA256Prefix
  private let outer: SHA256Prefix

  /// The number of bytes that SHA-256 takes in at once.
  private static let blockSize = 64

  /// Creates a key of any length.
  package init(_ key: [UInt8]) throws(OpenSSLFailure) {
    var block = key.count > Self.blockSize ? try SHA256.digest(of: key) : key
    block += [UInt8](repeating: 0, count: Self.blockSize - block.count)
    inner = try SHA256Prefix(block.map { $0 ^ 0x36 }[...])
    outer = try SHA256Prefix(block.map { $0 ^ 0x5C }[...])
  }

  /// Returns the code of a message, 32 bytes.
  package func code(of message: ArraySlice<UInt8>) throws(OpenSSLFailure) -> [UInt8] {
    try outer.digest(appending: try inner.digest(appending: message)[...])
  }
}
