/// Reads DER values one behind the other (X.690 section 10); it never recurses.
///
/// Only what receipts and certificates consist of: tags of one byte, and definite lengths in their
/// shortest form. It knows places only and is handed the bytes each time, so that reading moves no
/// references.
package struct DERReader: Sendable {
  private var index: Int
  private let end: Int

  /// The bytes are not DER, or not of the expected kind.
  package struct Failure: Error {
    package init() {}
  }

  /// Reads values inside a range of bytes.
  package init(in range: Range<Int>) {
    index = range.lowerBound
    end = range.upperBound
  }

  /// Whether all was read.
  package var isAtEnd: Bool { index == end }

  /// The tag of the next value, or nil at the end.
  package func nextTag(_ bytes: [UInt8]) -> DERTag? {
    index < end ? DERTag(rawValue: bytes[index]) : nil
  }

  /// The next value, which must bear this tag: where it stands.
  package mutating func value(_ tag: DERTag, _ bytes: [UInt8]) throws(Failure) -> DERValue {
    guard nextTag(bytes) == tag else { throw Failure() }
    return try value(bytes)
  }

  /// The next value, when it bears this tag; otherwise nil, and nothing is read.
  package mutating func optional(_ tag: DERTag, _ bytes: [UInt8]) throws(Failure) -> DERValue? {
    nextTag(bytes) == tag ? try value(bytes) : nil
  }

  /// The next value, whatever its tag, which has one byte.
  package mutating func value(_ bytes: [UInt8]) throws(Failure) -> DERValue {
    let start = index
    // A number of 31 says that the tag goes on.
    guard try byte(bytes) & 0x1F != 0x1F else { throw Failure() }
    let length = try length(bytes)
    guard length <= end - index else { throw Failure() }
    let content = index..<(index + length)
    index = content.upperBound
    return DERValue(whole: start..<index, content: content)
  }

  /// A reader of the values inside the next one.
  package mutating func contents(_ tag: DERTag, _ bytes: [UInt8]) throws(Failure) -> DERReader {
    DERReader(in: try value(tag, bytes).content)
  }

  /// Throws when something is left.
  package func finish() throws(Failure) {
    guard isAtEnd else { throw Failure() }
  }

  private mutating func length(_ bytes: [UInt8]) throws(Failure) -> Int {
    let first = try byte(bytes)
    if first < 0x80 { return Int(first) }
    // 0x80 alone is an indefinite length, which DER does not have.
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

/// Where a value stands.
package struct DERValue: Hashable, Sendable {
  /// With tag and length.
  package var whole: Range<Int>
  /// Without.
  package var content: Range<Int>
}
