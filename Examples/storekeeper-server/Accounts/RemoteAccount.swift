import JSONValues
import ReceiptModels

/// An account as a directory answers it.
struct RemoteAccount: Sendable {
  let account: Account
  /// Nil if there is none.
  let emailAddress: String?
  /// A BCP 47 tag; nil if it is not known.
  let language: String?

  /// The maximum size of an e-mail address in bytes (RFC 5321 section 4.5.3.1).
  private static let emailLimit = 320

  /// Reads an answer: `{"id": …, "unionId": …, "email": …, "language": …}`.
  ///
  /// An identifier that was asked for must be there. The rest may be missing or null, but not both
  /// identifiers. An address of white space counts as none, and a language without the form of a tag as
  /// unknown.
  init(_ body: [UInt8], to question: AccountQuestion) throws(AccountsFailure) {
    guard case .object(let members)? = try? JSONValue(parsing: body) else { throw .unreadable }
    guard
      let account = Account(
        primaryID: try Self.identifier(members["id"], asked: question.primaryID),
        secondID: try Self.identifier(members["unionId"], asked: question.secondID))
    else { throw .unreadable }
    self.account = account
    let email = try Self.text(members["email"])
    guard email.map(Self.mayBeEmail) ?? true else { throw .unreadable }
    emailAddress = email.flatMap { $0.isBlank ? nil : $0 }
    language = try Self.text(members["language"]).flatMap { LanguageTag.isOne($0) ? $0 : nil }
  }

  private static func identifier(
    _ value: JSONValue?, asked: AccountID?
  ) throws(AccountsFailure) -> AccountID? {
    let text = try text(value)
    if let asked {
      guard let text, text.isSameText(as: asked.rawValue) else { throw .otherAccount }
      return asked
    }
    guard let text else { return nil }
    // Not trimmed: an identifier that differs by white space is another one.
    guard let id = try? AccountID(text), id.rawValue.isSameText(as: text) else {
      throw .unreadable
    }
    return id
  }

  private static func text(_ value: JSONValue?) throws(AccountsFailure) -> String? {
    switch value {
    case nil, .null: nil
    case .string(let text): text
    default: throw .unreadable
    }
  }

  private static func mayBeEmail(_ text: String) -> Bool {
    text.utf8.count <= emailLimit && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

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
