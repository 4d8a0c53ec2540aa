internal import JSONValues

/// A property list in the old style of NeXTSTEP, limited to a single dictionary of strings, as in
/// transaction receipts.
///
/// Foundation's reader is in a part of Foundation that nothing else here needs.
struct OpenStepPropertyList {
  private(set) var texts: [String: String] = [:]

  /// The maximum number of entries, and of bytes in a name; genuine lists have about 15 entries.
  private static let countLimit = 64
  private static let nameLimit = 64

  /// Parses a list that fills the bytes, apart from white space; nil for anything else, and when a
  /// name occurs twice.
  init?(_ bytes: [UInt8]) {
    var reader = Reader(rest: bytes[...])
    guard reader.accept(UInt8(ascii: "{")) else { return nil }
    while !reader.accept(UInt8(ascii: "}")) {
      guard texts.count < Self.countLimit,
        let name = reader.text(), name.utf8.count <= Self.nameLimit,
        reader.accept(UInt8(ascii: "=")), let text = reader.text(),
        reader.accept(UInt8(ascii: ";")), texts.updateValue(text, forKey: name) == nil
      else { return nil }
    }
    guard reader.isAtEnd else { return nil }
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool {
      mutating get {
        skipSpace()
        return rest.isEmpty
      }
    }

    mutating func accept(_ byte: UInt8) -> Bool {
      skipSpace()
      guard rest.first == byte else { return false }
      rest.removeFirst()
      return true
    }

    /// Reads a string in quotation marks, or a word without.
    mutating func text() -> String? {
      skipSpace()
      guard accept(UInt8(ascii: "\"")) else {
        let word = rest.prefix(while: Self.isPartOfWord)
        rest.removeFirst(word.count)
        return word.isEmpty ? nil : String(validating: word, as: UTF8.self)
      }
      // Receipts contain no escapes, so a backslash is refused.
      let content = rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      rest.removeFirst(content.count)
      guard rest.first == UInt8(ascii: "\"") else { return nil }
      rest.removeFirst()
      return String(validating: content, as: UTF8.self)
    }

    mutating func skipSpace() {
      rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }

    static func isPartOfWord(_ byte: UInt8) -> Bool {
      byte.isLetterOrDigit || "-_.".utf8.contains(byte)
    }
  }
}
