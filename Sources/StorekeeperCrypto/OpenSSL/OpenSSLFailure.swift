internal import CStorekeeperOpenSSL

/// A failed call of OpenSSL, with its packed error code of library and reason.
///
/// OpenSSL's optional error data is dropped, because it may quote input.
package struct OpenSSLFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The oldest code in the queue, which is nearest to the cause; 0 if there is none.
  package let code: UInt

  /// Empties this thread's error queue and returns the failure; call it right after a failed call.
  package static func taken() -> OpenSSLFailure {
    let code = ERR_get_error()
    ERR_clear_error()
    return OpenSSLFailure(code: code)
  }

  package var description: String {
    guard let reason = unsafe ERR_reason_error_string(code) else { return "OpenSSL error \(code)" }
    return unsafe "OpenSSL: \(String(cString: reason))"
  }
}
