// Bytes of JSON text are searched eight at a time. A word is eight bytes, the first of which is the lowest; a mark
// in it is the highest bit of a byte. The lowest mark is right; those above it may be wrong by a borrow.

extension Span<UInt8> {
  /// Eight bytes at an offset, which must be there.
  @inline(__always)
  func word(at offset: Int) -> UInt64 {
    // Any eight bytes are an integer, and the call checks that they lie in the span.
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }

  /// The offset of the first byte that ends a plain string of ASCII or has to be looked at, or the end.
  @inline(__always)
  func endOfPlainText(from start: Int) -> Int {
    first(from: start) { word in
      word | word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\""))
        | word.marks(of: UInt8(ascii: "\\"))
    }
  }

  /// The offset of the first quotation mark, or the end.
  @inline(__always)
  func firstQuotation(from start: Int, to end: Int) -> Int {
    first(from: start, to: end) { word in word.marks(of: UInt8(ascii: "\"")) }
  }

  /// The offset of the first quotation mark or reverse solidus, or the end.
  @inline(__always)
  func firstQuotationOrEscape(from start: Int) -> Int {
    first(from: start) { word in
      word.marks(of: UInt8(ascii: "\"")) | word.marks(of: UInt8(ascii: "\\"))
    }
  }

  /// The offset of the first byte that JSON escapes in a string, or the end.
  @inline(__always)
  func firstEscaped(from start: Int) -> Int {
    first(from: start) { word in
      word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\""))
        | word.marks(of: UInt8(ascii: "\\"))
    }
  }

  @inline(__always)
  private func first(from start: Int, to end: Int? = nil, _ marks: (UInt64) -> UInt64) -> Int {
    let end = end ?? count
    var offset = start
    while offset <= end - 8 {
      let found = marks(word(at: offset)) & .highBits
      guard found == 0 else { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < end, marks(UInt64(self[offset]) | .spaces << 8) & 0x80 == 0 { offset += 1 }
    return offset
  }

  /// The text of bytes in UTF-8.
  func text(_ range: Range<Int>) -> String {
    unsafe extracting(range).withUnsafeBufferPointer { bytes in
      // The text is copied while the closure runs.
      unsafe String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension UInt64 {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  static let highBits = ones << 7
  fileprivate static let spaces = ones &* 0x20

  /// The bytes that are equal to one.
  @inline(__always)
  func marks(of byte: UInt8) -> UInt64 {
    let difference = self ^ Self.ones &* UInt64(byte)
    return (difference &- Self.ones) & ~difference
  }

  /// The bytes of ASCII below one of ASCII.
  @inline(__always)
  fileprivate func marks(below byte: UInt8) -> UInt64 {
    (self &- Self.ones &* UInt64(byte)) & ~self
  }

  /// The number of spaces at the beginning.
  @inline(__always)
  var leadingSpaceCount: Int { (self ^ .spaces).trailingZeroBitCount / 8 }
}
