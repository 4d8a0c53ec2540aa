internal import JSONValues

/// A rule for the length and the characters of a text in a catalogue file.
///
/// Characters are Unicode scalars.
///
/// Source: credit rules, section 8.
@nonexhaustive
public enum CatalogTextRule: Hashable, Sendable, CustomStringConvertible {
  /// 1 to a number of the characters `A–Z a–z 0–9 _ . -`.
  case code(maximumLength: Int)
  /// 1 to a number of characters, none of them white space.
  case withoutSpace(maximumLength: Int)

  /// The words for it in a message.
  public var description: String {
    switch self {
    case .code(let maximum): "1 to \(maximum) of the characters A-Z a-z 0-9 _ . -"
    case .withoutSpace(let maximum): "1 to \(maximum) characters without white space"
    }
  }

  /// Whether a text follows the rule.
  func accepts(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    switch self {
    case .code(let maximum):
      return isLength(of: scalars, atMost: maximum) && text.utf8.allSatisfy(\.isOfCode)
    case .withoutSpace(let maximum):
      return isLength(of: scalars, atMost: maximum)
        && !scalars.contains(where: \.properties.isWhitespace)
    }
  }

  private func isLength(of scalars: String.UnicodeScalarView, atMost maximum: Int) -> Bool {
    !scalars.isEmpty && scalars.dropFirst(maximum).isEmpty
  }
}

extension UInt8 {
  /// Whether the byte is a character of product codes.
  var isOfCode: Bool { isLetterOrDigit || "_.-".utf8.contains(self) }
}
