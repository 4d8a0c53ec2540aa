/// One connection to a database inside a transaction, as a driver gives it to the repositories.
///
/// Laws: statements run in the order of their calls, inside the transaction that the driver began;
/// parameters are written `$1`, `$2` … in the text and are always bound, never spliced; after an error
/// the transaction is of no further use, and the driver rolls it back.
public protocol SQLConnection: AnyObject {
  /// What the database's SQL looks like where databases differ.
  var dialect: SQLDialect { get }

  /// Runs a statement and gives its rows.
  func query(_ statement: SQLStatement, _ values: [SQLValue]) async throws -> [SQLRow]

  /// Runs a statement that gives no rows.
  ///
  /// - Returns: How many rows it changed.
  @discardableResult
  func execute(_ statement: SQLStatement, _ values: [SQLValue]) async throws -> Int

  /// Runs a statement once for each of the lists of values, in order.
  ///
  /// Drivers may keep these back and send them with the next statement, or with the end of the
  /// transaction; an error of theirs is thrown there.
  func execute(_ statement: SQLStatement, each rows: [[SQLValue]]) async throws
}
