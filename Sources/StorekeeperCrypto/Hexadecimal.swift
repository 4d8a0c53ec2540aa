/// Bytes in hexadecimal digits, in lower case, two for each.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  var text: [UInt8] = []
  text.reserveCapacity(2 * bytes.count)
  for byte in bytes {
    text.append(digit(byte >> 4))
    text.append(digit(byte & 15))
  }
  return String(decoding: text, as: UTF8.self)
}

/// The bytes that hexadecimal digits in either case stand for, or nil where there is anything else.
package func bytes(hexadecimal text: String) -> [UInt8]? {
  guard text.utf8.count.isMultiple(of: 2) else { return nil }
  var values: [UInt8] = []
  for byte in text.utf8 {
    guard let value = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
    values.append(UInt8(value))
  }
  return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
}

private func digit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
}
