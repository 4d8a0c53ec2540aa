internal import CStorekeeperOpenSSL

/// What OpenSSL said when a call failed: its packed error code, which names library and reason.
///
/// Codes only; OpenSSL's optional texts may quote input.
package struct OpenSSLFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The oldest code in the queue, the one nearest to the cause; 0 when OpenSSL left none.
  package let code: UInt

  /// Empties this thread's error queue; to be called right where a call failed.
  package static func taken() -> OpenSSLFailure {
    let code = ERR_get_error()
    ERR_clear_error()
    return OpenSSLFailure(code: code)
  }

  /// OpenSSL's constant text for the reason.
  package var description: String {
    guard let reason = unsafe ERR_reason_error_string(code) else { return "OpenSSL error \(code)" }
    return unsafe "OpenSSL: \(String(cString: reason))"
  }
}
