/// What RFC 9110 allows in names and values.
enum Syntax {
  /// Whether a text is a token (section 5.6.2).
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenCharacter)
  }

  /// Whether a text may be the value of a header field (section 5.5).
  ///
  /// No control character but the tab. Recipients may let some pass; here none does.
  static func isFieldValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == tab }
  }

  /// A value without the white space around it, which is not part of it (section 5.5).
  static func trimmed(_ text: String) -> String {
    let bytes = text.utf8.drop(while: isWhiteSpace)
    let end = bytes.lastIndex { !isWhiteSpace($0) }
    return end.map { String(text[bytes.startIndex...$0]) } ?? ""
  }

  private static let tab = UInt8(ascii: "\t")

  private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == tab || byte == 0x20 }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: false
    }
  }
}
