internal import CStorekeeperOpenSSL
internal import JSONValues

/// Returns whether two sequences of bytes are equal, in a time that depends only on their lengths.
package func isEqualInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe CRYPTO_memcmp(left, right, left.count) == 0
}

/// Unpredictable bytes from OpenSSL's generator.
package enum SecureRandom {
  /// Returns this many random bytes.
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

/// Returns bytes as lower-case hexadecimal digits, two for each.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  text.reserveCapacity(2 * bytes.count)
  for byte in bytes {
    text.append(digit(byte >> 4))
    text.append(digit(byte & 15))
  }
  return String(decoding: text, as: UTF8.self)
}

/// Returns the bytes of hexadecimal digits in either case, or nil for any other text.
package func bytes(hexadecimal text: String) -> [UInt8]? {
  guard text.utf8.count.isMultiple(of: 2) else { return nil }
  var values: [UInt8] = []
  for byte in text.utf8 {
    guard let value = byte.hexDigit else { return nil }
    values.append(value)
  }
  return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
}

private func digit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
}
