/// A text with placeholders such as `{{tier}}`.
struct TemplateText: Hashable, Sendable {
  enum Piece: Hashable, Sendable {
    case text(String)
    case value(MailPlaceholder)
  }

  let pieces: [Piece]

  /// Reads a text; line breaks become those of e-mails.
  init(_ text: String) throws(MailTemplate.Fault) {
    var pieces: [Piece] = []
    var rest = Substring(text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n"))
    while let start = rest.firstRange(of: "{{") {
      pieces.append(.text(String(rest[..<start.lowerBound])))
      rest = rest[start.upperBound...]
      guard let end = rest.firstRange(of: "}}") else { throw .unclosedPlaceholder }
      var name = rest[..<end.lowerBound]
      while name.first == " " { name.removeFirst() }
      while name.last == " " { name.removeLast() }
      guard let placeholder = MailPlaceholder(rawValue: String(name)) else {
        throw .unknownPlaceholder(String(name.prefix(40)))
      }
      pieces.append(.value(placeholder))
      rest = rest[end.upperBound...]
    }
    pieces.append(.text(String(rest)))
    self.pieces = pieces
  }

  /// Returns the text with its values, each changed for the place where it stands.
  func filled(
    _ values: [MailPlaceholder: String], _ escape: (String) -> String
  ) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .value(let placeholder): escape(values[placeholder] ?? "")
      }
    }.joined()
  }
}

/// A value that a template may show.
public enum MailPlaceholder: String, Hashable, Sendable, CaseIterable {
  /// The first identifier of the account.
  case account
  /// The level of the membership.
  case tier
  /// The last day of the membership, such as `2024-01-31`, in UTC.
  case expireDate
  /// The original transaction identifier of the subscription.
  case originalTransactionID
}

/// The changes to values, so that none is more than text where it stands.
enum MailEscape {
  /// Returns a value for plain text: on one line, without control characters.
  static func plain(_ value: String) -> String {
    String(
      String.UnicodeScalarView(value.unicodeScalars.map { $0.isControl ? " " : $0 }))
  }

  /// Returns a value for HTML, in text or in a quoted attribute.
  ///
  /// Marks count each for itself, even where an accent follows.
  static func html(_ value: String) -> String {
    plain(value).unicodeScalars.map { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "'": "&#39;"
      default: String(scalar)
      }
    }.joined()
  }
}
