/// A reader of consecutive DER values (X.690 section 10), which never recurses.
///
/// It supports the subset in receipts and certificates: tags of one byte, and definite lengths in
/// the shortest form. It stores only positions and gets the bytes with each call, so that reading
/// counts no references.
package struct DERReader: Sendable {
  private var index: Int
  private let end: Int

  /// The failure of bytes that are not DER, or not of the expected type.
  package struct Failure: Error {
    package init() {}
  }

  /// Creates a reader of the values in a range of bytes.
  package init(in range: Range<Int>) {
    index = range.lowerBound
    end = range.upperBound
  }

  package var isAtEnd: Bool { index == end }

  /// The tag of the next value, or nil at the end.
  package func nextTag(_ bytes: [UInt8]) -> DERTag? {
    index < end ? DERTag(rawValue: bytes[index]) : nil
  }

  /// Reads the next value, which must have this tag.
  package mutating func value(_ tag: DERTag, _ bytes: [UInt8]) throws(Failure) -> DERValue {
    guard nextTag(bytes) == tag else { throw Failure() }
    return try value(bytes)
  }

  /// Reads the next value if it has this tag; otherwise returns nil and reads nothing.
  package mutating func optional(_ tag: DERTag, _ bytes: [UInt8]) throws(Failure) -> DERValue? {
    nextTag(bytes) == tag ? try value(bytes) : nil
  }

  /// Reads the next value, whatever its tag.
  package mutating func value(_ bytes: [UInt8]) throws(Failure) -> DERValue {
    let start = index
    // The number 31 means that the tag has more bytes.
    guard try byte(bytes) & 0x1F != 0x1F else { throw Failure() }
    let length = try length(bytes)
    guard length <= end - index else { throw Failure() }
    let content = index..<(index + length)
    index = content.upperBound
    return DERValue(whole: start..<index, content: content)
  }

  /// Reads the next value, which must have this tag; returns a reader of its content.
  package mutating func contents(_ tag: DERTag, _ bytes: [UInt8]) throws(Failure) -> DERReader {
    DERReader(in: try value(tag, bytes).content)
  }

  /// Throws if any value is left.
  package func finish() throws(Failure) {
    guard isAtEnd else { throw Failure() }
  }

  private mutating func length(_ bytes: [UInt8]) throws(Failure) -> Int {
    let first = try byte(bytes)
    if first < 0x80 { return Int(first) }
    // 0x80 alone is an indefinite length, which DER does not allow.
    let count = Int(first & 0x7F)
    guard (1...4).contains(count) else { throw Failure() }
    var length = 0
    for _ in 0..<count { length = length << 8 | Int(try byte(bytes)) }
    guard length >= 0x80, length >> (8 * (count - 1)) != 0 else { throw Failure() }
    return length
  }

  private mutating func byte(_ bytes: [UInt8]) throws(Failure) -> UInt8 {
    guard index < end else { throw Failure() }
    defer { index += 1 }
    return bytes[index]
  }
}

/// The ranges of a value.
package struct DERValue: Hashable, Sendable {
  package var whole: Range<Int>
  package var content: Range<Int>
}
