/// The text of a statement, fixed in the source.
///
/// Values are bound to its parameters `$1`, `$2` and so on. Drivers keep the prepared form by ``name``.
public struct SQLStatement: Hashable, Sendable {
  public let name: String
  public let sql: String

  /// A statement.
  public init(_ name: String, _ sql: String) {
    self.name = name
    self.sql = sql
  }

  /// Statements with the same name are the same.
  public static func == (one: SQLStatement, other: SQLStatement) -> Bool { one.name == other.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
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
