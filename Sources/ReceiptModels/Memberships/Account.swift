/// An account of the host, as far as memberships need it.
///
/// Identifiers are compared exactly. White space around them is cut off, and an empty one is none.
/// Whether the account exists is not checked here.
///
/// Source: contract on linking, section 1.1.
public struct Account: Hashable, Sendable {
  /// The UUID of an account that was made with e-mail.
  public let ftcID: String?
  /// The WeChat union id; an account may have only this one.
  public let unionID: String?

  /// An account with at least one identifier.
  ///
  /// - Throws: `AccountFailure.missing` without an identifier, or what is wrong with one.
  public init(ftcID: String?, unionID: String? = nil) throws(AccountFailure) {
    let ftcID = try Self.checked(ftcID)
    let unionID = try Self.checked(unionID)
    guard ftcID != nil || unionID != nil else { throw .missing }
    self.ftcID = ftcID
    self.unionID = unionID
  }

  /// The identifier of the account's membership: the ``ftcID``, or else the ``unionID``.
  public var compoundID: String { ftcID ?? unionID ?? "" }

  /// The most characters that an identifier may have.
  public static let maximumIDLength = 128

  /// An identifier without the white space around it; nil when nothing is left.
  ///
  /// - Returns: 1 to 128 visible ASCII characters.
  /// - Throws: `AccountFailure.tooLong` or `AccountFailure.forbiddenCharacter`.
  public static func checked(_ id: String?) throws(AccountFailure) -> String? {
    guard let id, !id.isBlank else { return nil }
    guard id.utf8.count <= 4 * maximumIDLength else { throw .tooLong }
    let trimmed = id.trimmed.utf8
    guard trimmed.count <= maximumIDLength else { throw .tooLong }
    guard trimmed.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .forbiddenCharacter }
    return String(Substring(trimmed))
  }
}

/// Why something is no account.
public enum AccountFailure: Error, Hashable, Sendable {
  /// There is no identifier.
  case missing
  /// An identifier has more than ``Account/maximumIDLength`` characters.
  case tooLong
  /// An identifier has a character that is not visible ASCII.
  case forbiddenCharacter
}
