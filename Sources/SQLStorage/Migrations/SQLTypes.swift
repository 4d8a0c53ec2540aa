/// The names of column types where databases differ.
struct SQLTypes {
  /// A whole number, a moment.
  let int: String
  let flag: String
  /// A text, compared and ordered by its bytes.
  let text: String
  /// A number that the database gives, greater than all before.
  let serial: String
  /// A number that the database gives, greater than those of all rows.
  let number: String
  /// At the end of a table whose rows are kept in the order of their key.
  let keyed: String

  init(_ dialect: SQLDialect) {
    switch dialect {
    case .sqlite:
      (int, flag, text) = ("INTEGER", "INTEGER", "TEXT")
      serial = "INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT"
      number = "INTEGER NOT NULL PRIMARY KEY"
      keyed = " WITHOUT ROWID"
    case .postgres:
      (int, flag, text) = ("BIGINT", "SMALLINT", "TEXT COLLATE \"C\"")
      serial = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
      number = serial
      keyed = ""
    }
  }
}
