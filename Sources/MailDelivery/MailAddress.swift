internal import JSONValues

/// An e-mail address, with the name of its owner if there is one.
///
/// An address is ASCII: a dot-atom of 64 bytes at most, `@`, and a domain of labels of letters, digits and hyphens,
/// or an address in brackets. Quoted local parts and addresses beyond ASCII are not supported.
///
/// Source: RFC 5321 section 4.1.2, RFC 5322 section 3.4.1.
public struct MailAddress: Hashable, Sendable {
  /// The reason why a text is no address.
  @nonexhaustive
  public enum Failure: Error, Hashable, Sendable {
    /// The text does not have the form of an address.
    case malformedAddress
    /// The name has a control character, or is longer than 200 bytes.
    case malformedName
  }

  /// The name, such as `Example News`; nil if there is none.
  public let name: String?
  /// The address, such as `news@example.com`.
  public let address: String

  /// Creates an address.
  public init(_ address: String, name: String? = nil) throws(Failure) {
    guard Self.isAddress(address) else { throw .malformedAddress }
    let name = name?.isEmpty == true ? nil : name
    guard name.map(Self.isName) ?? true else { throw .malformedName }
    self.address = address
    self.name = name
  }

  /// Creates an address from a text such as `news@example.com` or `Example News <news@example.com>`.
  public init(parsing text: String) throws(Failure) {
    guard text.hasSuffix(">"), let start = text.lastIndex(of: "<") else {
      try self.init(text)
      return
    }
    var name = text[..<start]
    while name.last == " " { name.removeLast() }
    if name.count >= 2, name.first == "\"", name.last == "\"" { name = name.dropFirst().dropLast() }
    try self.init(String(text[text.index(after: start)...].dropLast()), name: String(name))
  }

  /// The part behind the `@`.
  var domain: String { String(address[address.index(after: at)...]) }

  private var at: String.Index { address.lastIndex(of: "@") ?? address.startIndex }

  private static func isName(_ text: String) -> Bool {
    text.utf8.count <= 200 && !text.unicodeScalars.contains(where: \.isControl)
  }

  private static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, text.utf8.count <= 254, (1...64).contains(parts[0].utf8.count) else {
      return false
    }
    return parts[0].split(separator: ".", omittingEmptySubsequences: false).allSatisfy(isAtom)
      && (isDomain(parts[1]) || isLiteral(parts[1]))
  }

  private static func isAtom(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isLetterOrDigit || atomMarks.contains($0) }
  }

  private static let atomMarks = Array("!#$%&'*+-/=?^_`{|}~".utf8)

  private static func isDomain(_ text: Substring) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
        && label.utf8.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "-") }
    }
  }

  private static func isLiteral(_ text: Substring) -> Bool {
    text.hasPrefix("[") && text.hasSuffix("]") && text.utf8.count > 2
      && text.dropFirst().dropLast().utf8.allSatisfy {
        $0.isLetterOrDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":")
      }
  }
}

extension Unicode.Scalar {
  /// Whether the scalar is a control character, or ends a line or a paragraph.
  var isControl: Bool {
    properties.generalCategory == .control || value == 0x2028 || value == 0x2029
  }
}
