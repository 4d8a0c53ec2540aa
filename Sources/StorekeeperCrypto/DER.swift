internal import CStorekeeperOpenSSL

/// The DER of something that one of OpenSSL's `i2d` functions writes.
func derBytes(
  _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
) throws(OpenSSLFailure) -> [UInt8] {
  ERR_clear_error()
  var output: UnsafeMutablePointer<UInt8>?
  let count = unsafe write(&output)
  guard count >= 0, let bytes = unsafe output else { throw .taken() }
  defer { unsafe CRYPTO_free(bytes, nil, 0) }
  return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
}

/// What one of OpenSSL's `d2i` functions reads, or nil when it reads nothing or leaves bytes over.
///
/// OpenSSL ignores trailing bytes; here they are an error (contract, section 1.1, check 10).
func parsedDER(
  _ bytes: [UInt8],
  free: (OpaquePointer) -> Void,
  _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
) -> OpaquePointer? {
  ERR_clear_error()
  return unsafe bytes.withUnsafeBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return nil }
    var position: UnsafePointer<UInt8>? = unsafe start
    guard let value = unsafe read(&position, buffer.count) else {
      ERR_clear_error()
      return nil
    }
    guard unsafe position == start + buffer.count else {
      unsafe free(value)
      return nil
    }
    return unsafe value
  }
}
