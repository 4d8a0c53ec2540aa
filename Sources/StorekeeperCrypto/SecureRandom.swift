internal import CStorekeeperOpenSSL

/// Unpredictable bytes from OpenSSL's generator.
package enum SecureRandom {
  /// As many bytes as asked for.
  package static func bytes(count: Int) throws(OpenSSLFailure) -> [UInt8] {
    ERR_clear_error()
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe RAND_bytes_ex(nil, buffer.baseAddress, buffer.count, 0) == 1
    }
    guard filled else { throw .taken() }
    return bytes
  }
}
