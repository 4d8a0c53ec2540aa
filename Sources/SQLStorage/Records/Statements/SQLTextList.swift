/// Several texts, whatever is in them, as one bound text, so that one statement serves any number of them.
struct SQLTextList {
  let texts: [String]

  init(_ texts: [String]) { self.texts = texts }

  /// An array of PostgreSQL, or a JSON array for the others.
  func value(_ dialect: SQLDialect) -> SQLValue {
    let quoted = texts.map { "\"" + Self.escaped($0, dialect) + "\"" }.joined(separator: ",")
    return .text(dialect == .postgres ? "{" + quoted + "}" : "[" + quoted + "]")
  }

  /// The texts of a parameter as a table with the column `value`.
  static func table(_ parameter: String, _ dialect: SQLDialect) -> String {
    switch dialect {
    case .postgres: "unnest(CAST(\(parameter) AS TEXT[])) AS ids (value)"
    case .sqlite: "json_each(\(parameter))"
    case .mariadb:
      """
      JSON_TABLE(\(parameter), '$[*]' COLUMNS (value VARCHAR(1024) CHARACTER SET utf8mb4
        COLLATE utf8mb4_nopad_bin PATH '$' ERROR ON ERROR)) AS ids
      """
    }
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
      case ..<" " where dialect != .postgres: result += unicode(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// JSON has no control characters in texts.
  private static func unicode(_ scalar: Unicode.Scalar) -> String {
    (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
  }
}
