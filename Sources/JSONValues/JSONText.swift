/// JSON text that was checked, and is walked without a tree.
///
/// A tree takes a multiple of the text's memory. A walk takes none: values are places in the text, and only
/// those that are asked for are read. An object is walked in the order of the text, with all duplicates.
///
/// Source: RFC 8259.
package struct JSONText: Sendable {
  let bytes: [UInt8]
  /// The place of the whole value.
  package let root: Place

  /// The place of a value.
  package struct Place: Hashable, Sendable {
    let offset: Int
  }

  /// A member of an object.
  package struct Member: Sendable {
    /// The place of the name, which is a string.
    package let name: Place
    package let value: Place
  }

  /// Checks the grammar of a whole text, at any depth.
  ///
  /// - Parameter bytes: The text in UTF-8, of which a byte-order mark is no part. The caller limits the size.
  /// - Throws: `unexpectedByte` or `invalidString`, with the offset of the first byte at fault.
  package init(checking bytes: [UInt8]) throws(JSONValue.SyntaxFailure) {
    try JSONGrammar.check(bytes)
    self.bytes = bytes
    root = Place(offset: Self.skipSpace(in: bytes, from: 0))
  }

  /// The kind of the value at a place, for numbers always `number`.
  package func kind(at place: Place) -> JSONKind {
    switch byte(at: place.offset) {
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .boolean
    case UInt8(ascii: "n"): .null
    default: .number
    }
  }

  /// The elements of the array at a place, or none if it is no array.
  package func elements(at place: Place) -> Elements {
    Elements(text: self, of: kind(at: place) == .array ? place : nil)
  }

  /// The members of the object at a place, or none if it is no object.
  package func members(at place: Place) -> Members {
    Members(text: self, of: kind(at: place) == .object ? place : nil)
  }

  /// The boolean at a place, or nil for another kind.
  package func boolean(at place: Place) -> Bool? {
    kind(at: place) == .boolean ? byte(at: place.offset) == UInt8(ascii: "t") : nil
  }

  /// The integer at a place, or nil for another kind, a fraction or exponent, or more than 64 bits.
  package func integer(at place: Place) -> Int? { number(at: place).flatMap { Int($0) } }

  /// The text of the number at a place, or nil for another kind.
  package func number(at place: Place) -> String? {
    guard kind(at: place) == .number else { return nil }
    return String(decoding: bytes[place.offset..<endOfLiteral(from: place.offset)], as: UTF8.self)
  }

  /// The string at a place, or nil for another kind.
  ///
  /// After a number of bytes, and one more, the rest is left out: an overlong text is recognized without being
  /// read.
  package func string(at place: Place, limit: Int = .max) -> String? {
    guard kind(at: place) == .string else { return nil }
    let start = place.offset + 1
    var end = start
    while end - start <= limit, let byte = byte(at: end), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\") { return escapedString(from: start, limit: limit) }
      end += 1
    }
    // Goes on to the end of a character that the limit cuts.
    while let byte = byte(at: end), byte & 0xC0 == 0x80 { end += 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  private func escapedString(from start: Int, limit: Int) -> String {
    var units = JSONEscapes(bytes: bytes, index: start)
    var content: [UInt8] = []
    while let byte = units.next() {
      if content.count > limit, byte & 0xC0 != 0x80 { break }
      content.append(byte)
    }
    return String(decoding: content, as: UTF8.self)
  }
}

extension String {
  /// Returns whether both texts are equal byte by byte, as identifiers must be.
  ///
  /// Swift's `==` also accepts canonically equivalent text, such as the Kelvin sign for K. Source: RFC 8259
  /// section 8.3; App Store rules, section 2.1.
  package func isSameText(as other: String) -> Bool {
    var (one, other) = (self, other)
    return one.withUTF8 { one in other.withUTF8 { other in unsafe one.elementsEqual(other) } }
  }
}
