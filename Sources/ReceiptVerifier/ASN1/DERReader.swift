/// Reads DER values one behind the other (X.690 section 10); it never recurses.
///
/// Only what receipts consist of: tags of one byte, and definite lengths in their shortest form.
struct DERReader {
  private let bytes: [UInt8]
  private var index: Int
  private let end: Int

  /// The bytes are not DER, or not of the expected kind.
  struct Failure: Error {}

  /// Reads values inside a range of bytes.
  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    end = range.upperBound
  }

  /// Whether all was read.
  var isAtEnd: Bool { index == end }

  /// The tag of the next value, or nil at the end.
  var nextTag: DERTag? { index < end ? DERTag(rawValue: bytes[index]) : nil }

  /// The next value, which must bear this tag: where it stands.
  mutating func value(_ tag: DERTag) throws(Failure) -> DERValue {
    let start = index
    guard nextTag == tag else { throw Failure() }
    index += 1
    let length = try length()
    guard length <= end - index else { throw Failure() }
    let content = index..<(index + length)
    index = content.upperBound
    return DERValue(whole: start..<index, content: content)
  }

  /// A reader of the values inside the next one.
  mutating func contents(_ tag: DERTag) throws(Failure) -> DERReader {
    DERReader(bytes, in: try value(tag).content)
  }

  /// Throws when something is left.
  func finish() throws(Failure) {
    guard isAtEnd else { throw Failure() }
  }

  private mutating func length() throws(Failure) -> Int {
    let first = try byte()
    if first < 0x80 { return Int(first) }
    // 0x80 alone is an indefinite length, which DER does not have.
    let count = Int(first & 0x7F)
    guard (1...4).contains(count) else { throw Failure() }
    var length = 0
    for _ in 0..<count { length = length << 8 | Int(try byte()) }
    guard length >= 0x80, length >> (8 * (count - 1)) != 0 else { throw Failure() }
    return length
  }

  private mutating func byte() throws(Failure) -> UInt8 {
    guard index < end else { throw Failure() }
    defer { index += 1 }
    return bytes[index]
  }
}

/// Where a value stands.
struct DERValue {
  /// With tag and length.
  var whole: Range<Int>
  /// Without.
  var content: Range<Int>
}

/// A tag of one byte, with its class and form.
struct DERTag: RawRepresentable, Hashable {
  var rawValue: UInt8

  static let integer = DERTag(rawValue: 0x02)
  static let octetString = DERTag(rawValue: 0x04)
  static let objectIdentifier = DERTag(rawValue: 0x06)
  static let utf8String = DERTag(rawValue: 0x0C)
  static let ia5String = DERTag(rawValue: 0x16)
  static let sequence = DERTag(rawValue: 0x30)
  static let set = DERTag(rawValue: 0x31)

  /// Context-specific and constructed.
  static func constructed(_ number: UInt8) -> DERTag { DERTag(rawValue: 0xA0 | number) }
}

/// The tag and length that stand before a content.
struct DERHeader {
  let bytes: [UInt8]

  init(_ tag: DERTag, length: Int) {
    guard length >= 0x80 else {
      bytes = [tag.rawValue, UInt8(length)]
      return
    }
    let count = (Int.bitWidth - length.leadingZeroBitCount + 7) / 8
    let digits = (0..<count).reversed().map { UInt8(truncatingIfNeeded: length >> (8 * $0)) }
    bytes = [tag.rawValue, 0x80 | UInt8(count)] + digits
  }
}
