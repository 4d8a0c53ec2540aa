extension JSONValue {
  /// The value as compact JSON in UTF-8.
  ///
  /// Members are sorted by name, so that equal values give equal bytes. A number that is not finite
  /// is written as `null`; no parsed value has one.
  ///
  /// Source: RFC 8259.
  public var serialized: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    append(to: &bytes)
    return bytes
  }

  /// Appends the value as ``serialized`` has it.
  package func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .boolean(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): Self.append(value, to: &bytes)
    case .number(let value): Self.append(value, to: &bytes)
    case .string(let value): Self.append(value, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.append(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func append(_ number: Double, to bytes: inout [UInt8]) {
    guard number.isFinite else { return bytes.append(contentsOf: "null".utf8) }
    // An integral value is written without ".0", which is exact within 2^53.
    if let integer = Int(exactly: number), abs(number) < 0x1p53 {
      append(integer, to: &bytes)
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
  }

  private static func append(_ integer: Int, to bytes: inout [UInt8]) {
    if integer < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = integer.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Appends a string as ``serialized`` has it.
  package static func append(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { text in
      // The text's own bytes, which are only read while the closure runs; each access is checked.
      let span = unsafe text.span
      // Runs without escapes are copied at once, because receipts are long.
      var start = 0
      while true {
        let end = span.firstEscaped(from: start)
        unsafe bytes.append(contentsOf: text[start..<end])
        guard end < span.count else { break }
        appendEscape(of: span[end], to: &bytes)
        start = end + 1
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    guard byte < 0x20 else { return bytes.append(byte) }
    bytes.append(contentsOf: "u00".utf8)
    bytes.append(UInt8(ascii: "0") + byte >> 4)
    let digit = byte & 0xF
    bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
  }
}
