import JSONValues

/// The removal of tokens from texts that a server wrote, which may repeat the request.
enum Redaction {
  /// The maximum number of characters of a text.
  private static let limit = 512

  /// Returns a text without tokens, shortened.
  static func redacted(_ text: String) -> String {
    var result = ""
    var rest = text.prefix(limit)[...]
    while let start = rest.firstRange(of: "eyJ")?.lowerBound {
      result += rest[..<start] + "(token)"
      rest = rest[start...].drop { character in
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
      }
    }
    return result + rest
  }

  /// Returns JSON whose texts have no tokens.
  static func redacted(_ json: JSONValue) -> JSONValue {
    switch json {
    case .string(let text): .string(redacted(text))
    case .array(let values): .array(values.map(redacted))
    case .object(let members): .object(members.mapValues(redacted))
    default: json
    }
  }
}
