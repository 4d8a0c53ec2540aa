internal import CStorekeeperSQLite
internal import SQLStorage

extension SQLFailure {
  /// Creates the failure for an extended result code.
  init(sqlite code: Int32, text: String) {
    switch (code, code & 0xFF) {
    case (SQLITE_CONSTRAINT_UNIQUE, _), (SQLITE_CONSTRAINT_PRIMARYKEY, _):
      self = .uniqueViolation(constraint: Self.constraint(in: text))
    case (_, SQLITE_BUSY), (_, SQLITE_LOCKED): self = .conflict
    case (_, SQLITE_CANTOPEN): self = .unavailable(mayHaveCommitted: false, detail: text)
    default: self = .other(code: Int(code), detail: text)
    }
  }

  /// Returns the name of the violated constraint, `table_column`.
  ///
  /// SQLite names the column only in its message, "UNIQUE constraint failed: table.column".
  private static func constraint(in text: String) -> String {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return "" }
    let columns = text[text.index(after: colon)...]
    let name = columns.prefix { $0 != "," }.filter { $0 != " " }
    return String(name.map { $0 == "." ? "_" : $0 })
  }
}

private let SQLITE_CONSTRAINT_UNIQUE: Int32 = SQLITE_CONSTRAINT | (8 << 8)
private let SQLITE_CONSTRAINT_PRIMARYKEY: Int32 = SQLITE_CONSTRAINT | (6 << 8)
