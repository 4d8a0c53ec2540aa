/// An insertion of rows whose keys may be there already, in each dialect.
struct SQLInsertion {
  /// An assignment to a column; its value refers to the row to insert as `excluded`, and to the stored one by the name
  /// of the table.
  struct Assignment {
    let column: String
    let value: String

    init(_ column: String, _ value: String) {
      self.column = column
      self.value = value
    }

    /// Overwrites a column with the one to insert.
    static func overwriting(_ column: String) -> Assignment {
      Assignment(column, "excluded.\(column)")
    }
  }

  private let sql: String
  /// The text for MariaDB.
  private let mariadb: String
  /// The columns of the key.
  private let key: String
  private var returned = ""

  /// An insertion whose texts begin with `INSERT INTO` and the table.
  init(_ sql: String, mariadb: String? = nil, key: String) {
    self.sql = sql
    self.mariadb = mariadb ?? sql
    self.key = key
  }

  /// The same, which returns columns of the rows that are there afterwards.
  ///
  /// PostgreSQL and SQLite leave out rows that the statement did not write. MariaDB does not, so that it returns none
  /// where stored rows are kept.
  func returning(_ columns: String) -> SQLInsertion {
    var copy = self
    copy.returned = "\nRETURNING \(columns)"
    return copy
  }

  /// Leaves stored rows as they are.
  func keepingStored(_ name: String) -> SQLStatement {
    SQLStatement(
      name, "\(sql)\nON CONFLICT (\(key)) DO NOTHING\(returned)",
      mariadb: "\(mariadb)\nON DUPLICATE KEY UPDATE \(keptKey) = \(keptKey)")
  }

  /// Leaves stored rows as they are, and returns columns of those that were inserted.
  ///
  /// In MariaDB this is for rows that nobody changes, since it shares the locks of stored rows, and for values whose
  /// length was checked, since `IGNORE` would make them fit.
  func keepingStored(_ name: String, returningInserted columns: String) -> SQLStatement {
    SQLStatement(
      name, "\(sql)\nON CONFLICT (\(key)) DO NOTHING\nRETURNING \(columns)",
      mariadb: "INSERT IGNORE\(mariadb.dropFirst("INSERT".count))\nRETURNING \(columns)")
  }

  /// Changes stored rows, unless the condition is false for one.
  ///
  /// MariaDB assigns in order, and later assignments see the values of earlier ones.
  func changingStored(
    _ name: String, _ assignments: [Assignment], where condition: String? = nil
  ) -> SQLStatement {
    let changes = assignments.map { "\($0.column) = \($0.value)" }.joined(separator: ",\n  ")
    return SQLStatement(
      name,
      """
      \(sql)
      ON CONFLICT (\(key)) DO UPDATE SET
        \(changes)\(condition.map { "\nWHERE \($0)" } ?? "")\(returned)
      """,
      mariadb: inMariaDB(assignments, where: condition))
  }

  /// MariaDB has no condition there: it is noted in a variable, before a column that it speaks of changes.
  private func inMariaDB(_ assignments: [Assignment], where condition: String?) -> String {
    let changes = assignments.map { assignment in
      condition == nil
        ? "\(assignment.column) = \(assignment.value)"
        : "\(assignment.column) = IF(@changes, \(assignment.value), \(table).\(assignment.column))"
    }
    let note = condition.map { "\(keptKey) = IF(@changes := (\($0)), \(keptKey), \(keptKey))" }
    let all = ([note].compactMap(\.self) + changes).joined(separator: ",\n  ")
    return "\(mariadb)\nON DUPLICATE KEY UPDATE\n  \(Self.naming(values: all))\(returned)"
  }

  private var table: Substring {
    sql.dropFirst("INSERT INTO ".count).prefix { !$0.isWhitespace }
  }

  private var keptKey: String { "\(table).\(key.prefix { $0 != "," })" }

  /// Writes `excluded.column` as `VALUES(column)`.
  private static func naming(values text: String) -> String {
    text.split(separator: "excluded.", omittingEmptySubsequences: false).enumerated().map {
      index, part in
      guard index > 0 else { return String(part) }
      let column = part.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "\"" }
      return "VALUES(\(column))\(part.dropFirst(column.count))"
    }.joined()
  }
}
