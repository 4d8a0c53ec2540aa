internal import CStorekeeperSQLite
package import SQLStorage

/// A connection that caches its prepared statements.
package final class SQLiteConnection: SQLConnection {
  package let dialect = SQLDialect.sqlite
  /// The first failure of a statement in the current unit of work.
  ///
  /// After it the transaction cannot be used any more, as in other databases, even if the closure
  /// ignores the failure.
  package private(set) var failure: SQLFailure?
  private let database: SQLiteDatabase
  private let faults: SQLiteFaults?
  private var statements: [SQLStatement: SQLitePreparedStatement] = [:]

  /// Opens the file and applies the settings; its contents are not changed.
  package init(path: String, configuration: SQLiteConfiguration) throws(SQLFailure) {
    database = try SQLiteDatabase(path: path)
    faults = configuration.faults
    database.wait(upTo: configuration.busyTimeout)
    for sql in configuration.settings { try run(sql) }
  }

  /// Sets the time that a statement waits for another process.
  func wait(upTo timeout: Duration) { database.wait(upTo: timeout) }

  /// Whether a transaction is open; some errors end it.
  package var isInTransaction: Bool { database.isInTransaction }

  package func query(_ statement: SQLStatement, _ values: [SQLValue]) throws -> [SQLRow] {
    try noting { () throws(SQLFailure) in try prepared(statement).rows(values) }
  }

  @discardableResult
  package func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int {
    try noting { () throws(SQLFailure) in
      try prepared(statement).run(values)
      return database.changes
    }
  }

  package func execute(_ statement: SQLStatement, each rows: [[SQLValue]]) throws {
    guard !rows.isEmpty else { return }
    try noting { () throws(SQLFailure) in
      let prepared = try prepared(statement)
      for row in rows { try prepared.run(row) }
    }
  }

  /// Runs a statement outside of a unit of work: a setting, or the beginning or end of a
  /// transaction.
  package func run(_ statement: SQLStatement) throws(SQLFailure) {
    try faults?.check(statement)
    try prepared(statement).run([])
  }

  /// Runs a text that is used once.
  package func run(_ sql: String) throws(SQLFailure) { try database.prepare(sql).run([]) }

  /// Returns the first column of the first row of a text that is used once.
  package func value(_ sql: String) throws(SQLFailure) -> SQLValue {
    try database.prepare(sql).rows([]).first?.first ?? .null
  }

  /// Clears the failure before the next unit of work.
  package func forgetFailure() { failure = nil }

  private func noting<Result>(
    _ body: () throws(SQLFailure) -> Result
  ) throws(SQLFailure) -> Result {
    if let failure { throw failure }
    do throws(SQLFailure) {
      return try body()
    } catch {
      failure = error
      throw error
    }
  }

  private func prepared(
    _ statement: SQLStatement
  ) throws(SQLFailure) -> SQLitePreparedStatement {
    if let prepared = statements[statement] { return prepared }
    let prepared = try database.prepare(statement.sql)
    statements[statement] = prepared
    return prepared
  }
}

extension SQLiteConfiguration {
  /// The settings of each connection; none of them is stored in the file.
  fileprivate var settings: [String] {
    // "fullfsync" matters on macOS, where fsync leaves the data in the disk's cache.
    let durable =
      switch durability {
      case .disk: ["synchronous = FULL", "fullfsync = ON", "checkpoint_fullfsync = ON"]
      case .operatingSystem: ["synchronous = NORMAL"]
      }
    // A page has 4 KiB, the default of SQLite, which made the file.
    let bound = maximumSize.map { ["max_page_count = \(max($0 / 4, 1))"] } ?? []
    let others = [
      "cache_size = -\(max(cacheSize, 0))", "journal_size_limit = \(WriteAheadLog.limit)",
      "temp_store = MEMORY", "trusted_schema = OFF",
    ]
    return (bound + durable + others).map { "PRAGMA \($0)" }
  }
}
