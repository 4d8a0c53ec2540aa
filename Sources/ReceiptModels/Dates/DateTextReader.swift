/// Reads digits and fixed characters of a date, one after the other.
struct DateTextReader {
  private let bytes: [UInt8]
  private var index = 0

  /// Starts at the first byte; of a long text only the beginning is looked at.
  init(_ text: String) {
    bytes = Array(text.utf8.prefix(64))
  }

  /// Whether every byte was read.
  var isAtEnd: Bool { index == bytes.count }

  /// The number written with exactly so many digits.
  mutating func digits(_ count: Int) -> Int? {
    guard bytes.count - index >= count else { return nil }
    var value = 0
    for byte in bytes[index..<(index + count)] {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
    }
    index += count
    return value
  }

  /// Whether the fixed text comes next; if so, it is read.
  mutating func accept(_ text: StaticString) -> Bool {
    let expected = text.description.utf8
    guard bytes[index...].starts(with: expected) else { return false }
    index += expected.count
    return true
  }
}

extension [UInt8] {
  /// Appends a number that is not negative, with leading zeros, and a text behind it.
  mutating func append(digits value: Int, width: Int, then text: StaticString) {
    let value = value.magnitude
    var place: UInt = 1
    for _ in 1..<width { place *= 10 }
    while value / place > 9 { place *= 10 }
    while place > 0 {
      append(UInt8(ascii: "0") + UInt8(value / place % 10))
      place /= 10
    }
    text.withUTF8Buffer { unsafe append(contentsOf: $0) }
  }
}
