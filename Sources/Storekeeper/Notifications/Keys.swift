/// Bytes as lower-case hexadecimal.
func hexadecimal(_ bytes: [UInt8]) -> String {
  let digits = Array("0123456789abcdef".utf8)
  let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  return String(decoding: text, as: UTF8.self)
}

extension String {
  /// The beginning of a text from outside, as much as a column holds, without zero bytes.
  init(bounding text: String) {
    let bytes = text.utf8.lazy.filter { $0 != 0 }.prefix(200)
    self = String(decoding: Array(bytes), as: UTF8.self)
  }
}
