/// The form of a BCP 47 language tag, such as `en` or `zh-Hans`.
enum LanguageTag {
  /// Whether a text is a language of letters, and parts of 1 to 8 letters or digits after hyphens.
  ///
  /// Whether the parts are registered is not checked.
  ///
  /// Source: RFC 5646 section 2.1.
  static func isOne(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard text.utf8.count <= limit, let language = parts.first,
      language.count > 1, language.allSatisfy(isLetter)
    else { return false }
    return parts.allSatisfy { part in
      (1...8).contains(part.count) && part.allSatisfy { isLetter($0) || isDigit($0) }
    }
  }

  /// In bytes; registered tags have fewer than 35 (RFC 5646 section 4.4.1).
  private static let limit = 64

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
