/// A reader of consecutive DER values (X.690 section 10), which never recurses.
///
/// It supports the subset in receipts and certificates: tags of one byte, and definite lengths in
/// the shortest form. It stores only positions and gets the bytes with each call, so that reading
/// counts no references.
///
/// The type is public although it belongs to no product, because declarations with `package` access
/// are not inlined in other modules, and a receipt has hundreds of values.
@frozen
public struct DERReader: Sendable {
  @usableFromInline var index: Int
  @usableFromInline let end: Int

  /// The failure of bytes that are not DER, or not of the expected type.
  public struct Failure: Error {
    /// Creates the failure, which has no details.
    @inlinable public init() {}
  }

  /// Creates a reader of the values in a range of bytes.
  @inlinable
  public init(in range: Range<Int>) {
    index = range.lowerBound
    end = range.upperBound
  }

  /// Whether every value was read.
  @inlinable public var isAtEnd: Bool { index == end }

  /// The tag of the next value, or nil at the end.
  @inlinable
  public func nextTag(_ bytes: [UInt8]) -> DERTag? {
    index < end ? DERTag(rawValue: bytes[index]) : nil
  }

  /// Reads the next value, which must have this tag.
  @inlinable
  public mutating func value(_ tag: DERTag, _ bytes: [UInt8]) throws(Failure) -> DERValue {
    // Wrapping arithmetic: positions are below the size of an array.
    let start = index
    guard end &- start >= 2, bytes[start] == tag.rawValue else { throw Failure() }
    let length = Int(bytes[start &+ 1])
    let content = start &+ 2
    guard length < 0x80 else { return try value(bytes) }
    guard length <= end &- content else { throw Failure() }
    index = content &+ length
    return DERValue(start: start, contentStart: content, end: index)
  }

  /// Reads the next value if it has this tag; otherwise returns nil and reads nothing.
  @inlinable
  public mutating func optional(_ tag: DERTag, _ bytes: [UInt8]) throws(Failure) -> DERValue? {
    nextTag(bytes) == tag ? try value(bytes) : nil
  }

  /// Reads the next value, whatever its tag.
  public mutating func value(_ bytes: [UInt8]) throws(Failure) -> DERValue {
    let start = index
    guard end - start >= 2 else { throw Failure() }
    // The number 31 means that the tag has more bytes.
    guard bytes[start] & 0x1F != 0x1F else { throw Failure() }
    let first = bytes[start + 1]
    index = start + 2
    let length = first < 0x80 ? Int(first) : try longLength(first, bytes)
    guard length <= end - index else { throw Failure() }
    let content = index
    index = content + length
    return DERValue(start: start, contentStart: content, end: index)
  }

  /// Reads the next value, which must have this tag; returns a reader of its content.
  @inlinable
  public mutating func contents(_ tag: DERTag, _ bytes: [UInt8]) throws(Failure) -> DERReader {
    DERReader(in: try value(tag, bytes).content)
  }

  /// Throws if any value is left.
  @inlinable
  public func finish() throws(Failure) {
    guard isAtEnd else { throw Failure() }
  }

  /// Reads the rest of a length whose first byte is not the length itself.
  private mutating func longLength(_ first: UInt8, _ bytes: [UInt8]) throws(Failure) -> Int {
    // 0x80 alone is an indefinite length, which DER does not allow.
    let count = Int(first & 0x7F)
    guard (1...4).contains(count), count <= end - index else { throw Failure() }
    var length = 0
    for place in index..<(index + count) { length = length << 8 | Int(bytes[place]) }
    index += count
    guard length >= 0x80, length >> (8 * (count - 1)) != 0 else { throw Failure() }
    return length
  }
}

/// The place of a value.
@frozen
public struct DERValue: Hashable, Sendable {
  @usableFromInline let start: Int
  @usableFromInline let contentStart: Int
  @usableFromInline let end: Int

  @inlinable
  init(start: Int, contentStart: Int, end: Int) {
    self.start = start
    self.contentStart = contentStart
    self.end = end
  }

  /// The range of the value with its tag and length.
  @inlinable public var whole: Range<Int> { start..<end }
  /// The range of the value without tag and length.
  @inlinable public var content: Range<Int> { contentStart..<end }
}
