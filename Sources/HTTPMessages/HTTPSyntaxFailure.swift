internal import JSONValues

/// A reason why a text cannot be part of an HTTP message.
///
/// The text itself is left out, because it may be secret.
@nonexhaustive
public enum HTTPSyntaxFailure: Error, Hashable, Sendable {
  /// The name of a method is not a token (RFC 9110 sections 5.6.2 and 9.1).
  case methodName
  /// The name of a header field is not a token (RFC 9110 section 5.1).
  case headerName
  /// The value for this header field contains a line break, NUL or another control character
  /// (RFC 9110 section 5.5).
  case headerValue(HTTPHeaderName)
}

/// The syntax of names and values (RFC 9110).
enum Syntax {
  /// Returns whether a text is a token (section 5.6.2).
  static func isToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(isTokenCharacter)
  }

  /// Returns whether a text may be the value of a header field (section 5.5).
  ///
  /// The tab is the only control character allowed. The RFC lets recipients accept some others.
  static func isFieldValue(_ text: String) -> Bool {
    // Values are long, and the bytes of an array are read ten times as fast.
    Array(text.utf8).allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == tab }
  }

  /// Returns a value without the surrounding white space, which is not part of it (section 5.5).
  static func trimmed(_ text: String) -> String {
    guard text.utf8.first.map(isWhiteSpace) == true || text.utf8.last.map(isWhiteSpace) == true
    else { return text }
    let bytes = text.utf8.drop(while: isWhiteSpace)
    let end = bytes.lastIndex { !isWhiteSpace($0) }
    return end.map { String(text[bytes.startIndex...$0]) } ?? ""
  }

  /// Returns an ASCII letter in lower case, and any other byte as it is.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static let tab = UInt8(ascii: "\t")

  private static func isWhiteSpace(_ byte: UInt8) -> Bool { byte == tab || byte == 0x20 }

  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"),
      UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^")...UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      true
    default: byte.isLetterOrDigit
    }
  }
}
