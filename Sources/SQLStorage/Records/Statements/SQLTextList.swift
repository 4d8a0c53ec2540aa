/// Several texts, whatever is in them, as one bound text.
struct SQLTextList {
  let texts: [String]

  init(_ texts: [String]) { self.texts = texts }

  /// An array of PostgreSQL, or a JSON array for SQLite.
  func value(_ dialect: SQLDialect) -> SQLValue {
    let quoted = texts.map { "\"" + Self.escaped($0, dialect) + "\"" }.joined(separator: ",")
    return .text(dialect == .postgres ? "{" + quoted + "}" : "[" + quoted + "]")
  }

  private static func escaped(_ text: String, _ dialect: SQLDialect) -> String {
    let isPlain = text.utf8.allSatisfy {
      $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && $0 >= UInt8(ascii: " ")
    }
    return isPlain ? text : quoted(text, dialect)
  }

  private static func quoted(_ text: String, _ dialect: SQLDialect) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case ..<" " where dialect == .sqlite: result += unicode(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// JSON has no control characters in texts.
  private static func unicode(_ scalar: Unicode.Scalar) -> String {
    (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
  }
}
