internal import CStorekeeperOpenSSL

/// Returns the DER that one of OpenSSL's `i2d` functions writes.
package func derBytes(
  _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>) -> Int32
) throws(OpenSSLFailure) -> [UInt8] {
  ERR_clear_error()
  var output: UnsafeMutablePointer<UInt8>?
  let count = unsafe write(&output)
  guard count >= 0, let bytes = unsafe output else { throw .taken() }
  defer { unsafe CRYPTO_free(bytes, nil, 0) }
  return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
}

/// Returns the value that one of OpenSSL's `d2i` functions parses, or nil if it fails or leaves
/// trailing bytes, which OpenSSL itself ignores.
package func parsedDER(
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

/// A failed call of OpenSSL, with its packed error code of library and reason.
///
/// OpenSSL's optional error data is dropped, because it may quote input.
package struct OpenSSLFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// One of the codes that OpenSSL noted in this thread; 0 if there is none.
  ///
  /// It tells a reader of a log more; no decision rests on it.
  package let code: UInt

  /// Empties this thread's error queue and returns the failure with the oldest code, which is nearest to the cause.
  ///
  /// Call it right after a failed call before which the queue was emptied.
  package static func taken() -> OpenSSLFailure {
    let code = ERR_get_error()
    ERR_clear_error()
    return OpenSSLFailure(code: code)
  }

  /// Empties this thread's error queue and returns the failure with the newest code.
  ///
  /// Call it right after a failed call before which the queue was not emptied, as that costs too much to do for each
  /// signature.
  static func latest() -> OpenSSLFailure {
    let code = ERR_peek_last_error()
    ERR_clear_error()
    return OpenSSLFailure(code: code)
  }

  package var description: String {
    guard let reason = unsafe ERR_reason_error_string(code) else { return "OpenSSL error \(code)" }
    return unsafe "OpenSSL: \(String(cString: reason))"
  }
}
