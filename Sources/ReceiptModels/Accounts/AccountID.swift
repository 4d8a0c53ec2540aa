internal import JSONValues

/// The identifier of an account of the host: usually 1 to 128 visible ASCII characters.
///
/// Identifiers are compared byte by byte.
///
/// ```swift
/// let id = try AccountID(request.userID)
/// let alice: AccountID = "alice"
/// ```
///
/// Source: linking rules, section 1.1.
public struct AccountID: Sendable {
  public let rawValue: String

  public static let maximumLength = 128

  /// Creates an identifier from a text without its leading and trailing white space.
  ///
  /// Whether the account exists is not checked. A literal in the parentheses calls
  /// ``init(stringLiteral:)`` instead, which traps.
  public init(_ text: String) throws(AccountFailure) {
    guard !text.isBlank else { throw .missing }
    guard text.utf8.count <= 4 * Self.maximumLength else { throw .tooLong }
    let trimmed = text.trimmed.utf8
    guard trimmed.count <= Self.maximumLength else { throw .tooLong }
    guard trimmed.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .forbiddenCharacter }
    rawValue = String(Substring(trimmed))
  }

  /// Creates an identifier from a text that is taken as it is: 1 to 128 bytes without a zero byte.
  ///
  /// Only entitlements and orders accept identifiers with other characters than visible ASCII.
  /// Source: entitlement rules, section 7.
  public init(opaque text: String) throws(AccountFailure) {
    guard !text.utf8.isEmpty else { throw .missing }
    guard text.utf8.count <= Self.maximumLength else { throw .tooLong }
    guard !text.utf8.contains(0) else { throw .forbiddenCharacter }
    rawValue = text
  }

  /// Creates an identifier as a store holds it.
  ///
  /// Other programs may have written it, so its characters are not checked.
  package init(stored text: String) { rawValue = text }
}

extension AccountID: Hashable {
  /// Returns whether both identifiers have the same bytes.
  public static func == (one: AccountID, other: AccountID) -> Bool {
    one.rawValue.isSameText(as: other.rawValue)
  }

  /// Hashes the bytes of the identifier.
  public func hash(into hasher: inout Hasher) {
    for byte in rawValue.utf8 { hasher.combine(byte) }
  }
}

extension AccountID: Comparable {
  /// Returns whether the bytes of an identifier come before those of another.
  public static func < (one: AccountID, other: AccountID) -> Bool {
    one.rawValue.utf8.lexicographicallyPrecedes(other.rawValue.utf8)
  }
}

extension AccountID: ExpressibleByStringLiteral {
  /// Creates an identifier from a literal, which must be 1 to 128 visible ASCII characters.
  public init(stringLiteral text: String) {
    precondition(
      (1...Self.maximumLength).contains(text.utf8.count)
        && text.utf8.allSatisfy { (0x21...0x7E).contains($0) },
      "An account ID is 1 to 128 visible ASCII characters.")
    rawValue = text
  }
}

extension AccountID: CustomStringConvertible {
  public var description: String { rawValue }
}

/// The reason why a text isn't an identifier of an account.
@nonexhaustive
public enum AccountFailure: Error, Hashable, Sendable {
  case missing
  case tooLong
  /// The text has a character that isn't visible ASCII or, for an opaque identifier, a zero byte.
  case forbiddenCharacter
}
