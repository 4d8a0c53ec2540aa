internal import StorekeeperLocks

/// The text of a statement, fixed in the source.
///
/// Values are bound to its parameters `$1`, `$2` and so on. Drivers keep the prepared form by ``name``.
public struct SQLStatement: Hashable, Sendable {
  public let name: String
  /// The text, as SQLite and PostgreSQL read it.
  public let sql: String
  /// The text for MariaDB, where it is another.
  private let mariadb: String?
  /// The number of the name in this process, from 0; drivers may keep prepared forms by it.
  public let number: Int

  /// A statement.
  ///
  /// Make one once for each name, and keep it.
  public init(_ name: String, _ sql: String) { self.init(name, sql, mariadb: nil) }

  /// A statement whose text for MariaDB is another.
  package init(_ name: String, _ sql: String, mariadb: String?) {
    self.name = name
    self.sql = sql
    self.mariadb = mariadb
    number = Self.numbers.withLock { numbers in
      if let number = numbers[name] { return number }
      numbers[name] = numbers.count
      return numbers.count - 1
    }
  }

  private static let numbers = Locked<[String: Int]>([:])

  /// The text for a dialect.
  ///
  /// MariaDB has other names for two types that values are cast to, and cannot name the table whose rows are locked. It
  /// finds the row of a whole unique key before it plans, of which the environment is a part (see `transaction_find`).
  public func text(_ dialect: SQLDialect) -> String {
    guard dialect == .mariadb else { return sql }
    return Self.inMariaDB.reduce(mariadb ?? sql) { $0.replacing($1.common, with: $1.mariadb) }
  }

  private static let inMariaDB = [
    (common: " AS TEXT)", mariadb: " AS CHAR)"), (common: " AS BIGINT)", mariadb: " AS SIGNED)"),
    (common: "FOR UPDATE OF s", mariadb: "FOR UPDATE"),
    (common: "'' || environment = ", mariadb: "environment = "),
  ]

  /// Statements with the same name are the same.
  public static func == (one: SQLStatement, other: SQLStatement) -> Bool {
    one.number == other.number
  }

  /// Hashes the number of the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A value of a column or a parameter.
public enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  /// A text without zero bytes.
  case text(String)
}

/// The values of a row, in the order of the columns.
public typealias SQLRow = [SQLValue]

/// A dialect of SQL.
public enum SQLDialect: Hashable, Sendable {
  /// SQLite 3.38 or later.
  case sqlite
  /// PostgreSQL 13 or later.
  case postgres
  /// MariaDB 10.6 or later, in the modes `ANSI_QUOTES`, `PIPES_AS_CONCAT` and `SIMULTANEOUS_ASSIGNMENT`.
  case mariadb
}

/// A statement with the values for its parameters.
public struct SQLCall: Hashable, Sendable {
  public let statement: SQLStatement
  public let values: [SQLValue]

  /// A call.
  public init(_ statement: SQLStatement, _ values: [SQLValue]) {
    self.statement = statement
    self.values = values
  }
}
