/// The rule for identifiers of products and entries of `unlocks`.
///
/// White space is what has Unicode's property `White_Space`, control characters are those of its category
/// `Cc`. Characters of the category `Cf`, such as U+200B, are allowed. Source: entitlement rules, section
/// 1.
enum IdentifierRule {
  case identifier
  /// An identifier, or the beginning of one and a `*`.
  case pattern

  static let maximumByteCount = 255

  /// Returns whether a text follows the rule.
  func accepts(_ text: String) -> Bool {
    let bytes = text.utf8
    guard !bytes.isEmpty, bytes.count <= Self.maximumByteCount else { return false }
    guard
      bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
        || text.unicodeScalars.allSatisfy(\.isAllowedInIdentifiers)
    else { return false }
    switch self {
    case .identifier: return true
    case .pattern: return !bytes.dropLast().contains(UInt8(ascii: "*"))
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isAllowedInIdentifiers: Bool {
    if isASCII { return value > 0x20 && value != 0x7F }
    return !properties.isWhitespace && properties.generalCategory != .control
  }
}
