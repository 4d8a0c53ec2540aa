/// The bytes of a checked string, with its escapes read.
struct JSONEscapes {
  let bytes: [UInt8]
  var index: Int
  /// The rest of an escaped character.
  private var pending: [UInt8] = []

  init(bytes: [UInt8], index: Int) {
    self.bytes = bytes
    self.index = index
  }

  mutating func next() -> UInt8? {
    if let byte = pending.popLast() { return byte }
    guard let byte = raw() else { return nil }
    guard byte == UInt8(ascii: "\\") else { return byte == UInt8(ascii: "\"") ? nil : byte }
    switch raw() {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"):
      let scalar = Unicode.Scalar(codePoint()) ?? "\u{FFFD}"
      pending = UTF8.encode(scalar)?.reversed() ?? []
      return pending.popLast()
    case let other: return other
    }
  }

  private mutating func codePoint() -> UInt32 {
    let first = fourHexDigits()
    guard (0xD800...0xDBFF).contains(first) else { return first }
    index += 2
    return 0x1_0000 + (first - 0xD800) << 10 + (fourHexDigits() & 0x3FF)
  }

  private mutating func fourHexDigits() -> UInt32 {
    (0..<4).reduce(0) { value, _ in value << 4 | UInt32(raw()?.hexDigit ?? 0) }
  }

  private mutating func raw() -> UInt8? {
    guard index < bytes.count else { return nil }
    defer { index += 1 }
    return bytes[index]
  }
}
