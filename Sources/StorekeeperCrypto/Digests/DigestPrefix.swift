internal import CStorekeeperOpenSSL

/// The state of a digest after a prefix, for digests of many texts with that prefix.
///
/// It is immutable, so any number of threads may use it.
@safe
package final class DigestPrefix: @unchecked Sendable {
  // Sendable because the context is only read: EVP_MD_CTX_copy_ex takes it as const and counts
  // references atomically.
  private let context: OpaquePointer
  private let byteCount: Int

  package init(
    _ prefix: ArraySlice<UInt8>, _ digest: RSADigest = .sha256
  ) throws(OpenSSLFailure) {
    ERR_clear_error()
    guard let context = unsafe EVP_MD_CTX_new() else { throw .taken() }
    let prepared = unsafe prefix.withUnsafeBytes { bytes in
      unsafe EVP_DigestInit_ex(context, digest.algorithm, nil) == 1
        && EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1
    }
    guard prepared else {
      unsafe EVP_MD_CTX_free(context)
      throw .taken()
    }
    unsafe self.context = context
    byteCount = digest.byteCount
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  /// Returns the digest of the prefix followed by bytes.
  package func digest(appending bytes: ArraySlice<UInt8>) throws(OpenSSLFailure) -> [UInt8] {
    guard let copy = unsafe EVP_MD_CTX_new() else { throw .latest() }
    defer { unsafe EVP_MD_CTX_free(copy) }
    var digest = [UInt8](repeating: 0, count: byteCount)
    let succeeded = unsafe bytes.withUnsafeBytes { bytes in
      unsafe EVP_MD_CTX_copy_ex(copy, context) == 1
        && EVP_DigestUpdate(copy, bytes.baseAddress, bytes.count) == 1
        && EVP_DigestFinal_ex(copy, &digest, nil) == 1
    }
    guard succeeded else { throw .latest() }
    return digest
  }
}
