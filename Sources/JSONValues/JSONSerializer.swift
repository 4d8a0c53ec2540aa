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
    case .integer(let value): bytes.append(contentsOf: String(value).utf8)
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
      bytes.append(contentsOf: String(integer).utf8)
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
  }

  /// Appends a string as ``serialized`` has it.
  package static func append(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { text in
      // Runs without escapes are copied at once, because receipts are long.
      var start = 0
      for index in text.indices where unsafe isEscaped(text[index]) {
        unsafe bytes.append(contentsOf: text[start..<index])
        unsafe appendEscape(of: text[index], to: &bytes)
        start = index + 1
      }
      unsafe bytes.append(contentsOf: text[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    guard byte < 0x20 else { return bytes.append(contentsOf: [UInt8(ascii: "\\"), byte]) }
    let digits = String(byte, radix: 16)
    bytes.append(contentsOf: "\\u00".utf8)
    if digits.utf8.count == 1 { bytes.append(UInt8(ascii: "0")) }
    bytes.append(contentsOf: digits.utf8)
  }
}
