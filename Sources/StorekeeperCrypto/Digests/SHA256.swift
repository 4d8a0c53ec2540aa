internal import CStorekeeperOpenSSL

/// SHA-256 (FIPS 180-4).
package enum SHA256 {
  package static let byteCount = 32

  /// Returns the digest of bytes.
  package static func digest(of bytes: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
    guard let start else { return try SHA256Prefix([]).digest(appending: bytes[...]) }
    return try start.digest(appending: bytes[...])
  }

  /// The initial state, cached because OpenSSL looks up the algorithm for each new one; nil on
  /// failure.
  private static let start = try? SHA256Prefix([])
}

/// The SHA-256 state after a prefix, for digests of many texts with that prefix.
///
/// It is immutable, so any number of threads may use it.
@safe
package final class SHA256Prefix: @unchecked Sendable {
  // Sendable because the context is only read: EVP_MD_CTX_copy_ex takes it as const and counts
  // references atomically.
  private let context: OpaquePointer

  package init(_ prefix: ArraySlice<UInt8>) throws(OpenSSLFailure) {
    ERR_clear_error()
    guard let context = unsafe EVP_MD_CTX_new() else { throw .taken() }
    let prepared = unsafe prefix.withUnsafeBytes { bytes in
      unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1
        && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    }
    guard prepared else {
      unsafe EVP_MD_CTX_free(context)
      throw .taken()
    }
    unsafe self.context = context
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  /// Returns the digest of the prefix followed by bytes.
  package func digest(appending bytes: ArraySlice<UInt8>) throws(OpenSSLFailure) -> [UInt8] {
    ERR_clear_error()
    guard let copy = unsafe EVP_MD_CTX_new() else { throw .taken() }
    defer { unsafe EVP_MD_CTX_free(copy) }
    var digest = [UInt8](repeating: 0, count: SHA256.byteCount)
    let succeeded = unsafe bytes.withUnsafeBytes { bytes in
      unsafe EVP_MD_CTX_copy_ex(copy, context) == 1
        && EVP_DigestUpdate(copy, bytes.baseAddress, bytes.count) == 1
        && EVP_DigestFinal_ex(copy, &digest, nil) == 1
    }
    guard succeeded else { throw .taken() }
    return digest
  }
}

/// SHA-1 (FIPS 180-4), only for the device hash of receipts.
package enum SHA1 {
  /// Returns the digest of bytes.
  package static func digest(of bytes: [UInt8]) throws(OpenSSLFailure) -> [UInt8] {
    ERR_clear_error()
    var digest = [UInt8](repeating: 0, count: 20)
    guard unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha1(), nil) == 1 else {
      throw .taken()
    }
    return digest
  }
}

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
