internal import CStorekeeperSQLite
package import SQLStorage
internal import StorekeeperLocks

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
  /// The prepared statements, by their numbers.
  private var statements: [SQLitePreparedStatement?] = []

  /// Opens the file and applies the settings; its contents are not changed.
  package init(path: String, configuration: SQLiteConfiguration) throws(SQLFailure) {
    database = try SQLiteDatabase(path: path)
    faults = configuration.faults
    database.wait(upTo: configuration.busyTimeout)
    for sql in configuration.settings { try run(sql) }
  }

  /// Sets the time that a statement waits for another process.
  func wait(upTo timeout: Duration) { database.wait(upTo: timeout) }

  /// Limits the work of the next statements, of each and of all together; one that exceeds it is interrupted.
  func limitWork(_ isLimited: Bool) { database.limitWork(isLimited) }

  /// Whether the time since the work was limited is longer than short work may take.
  var tookLong: Bool { database.tookLong }

  /// Whether a transaction is open; some errors end it.
  package var isInTransaction: Bool { database.isInTransaction }

  package func query(_ statement: SQLStatement, _ values: [SQLValue]) throws -> [SQLRow] {
    try noting { () throws(SQLFailure) in try prepared(statement).rows(values) }
  }

  /// One after the other, without a suspension between them.
  package func query(_ calls: [SQLCall]) throws -> [[SQLRow]] {
    try calls.map { try query($0.statement, $0.values) }
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
      try database.checkWork()
      return try body()
    } catch {
      failure = error
      throw error
    }
  }

  private func prepared(_ statement: SQLStatement) throws(SQLFailure) -> SQLitePreparedStatement {
    let number = statement.number
    if number < statements.count, let prepared = statements[number] { return prepared }
    let prepared = try database.prepare(statement.sql)
    while statements.count <= number { statements.append(nil) }
    statements[number] = prepared
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

extension SQLFailure {
  /// Whether a statement exceeded the limit of its work.
  var isInterruption: Bool {
    if case .other(let code, _) = self { code & 0xFF == SQLITE_INTERRUPT } else { false }
  }

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

/// Statements that fail on purpose, and a count of their runs.
///
/// Tests simulate with it a failing disk or an interfering process.
package final class SQLiteFaults: Hashable, Sendable {
  private let failures: Locked<[String: [SQLFailure?]]>
  private let runs = Locked<[String: Int]>([:])

  /// Creates faults: for each statement name the outcomes of its next runs, nil for success; later
  /// runs succeed.
  package init(_ failures: [String: [SQLFailure?]]) { self.failures = Locked(failures) }

  /// Returns the number of times that the statement with this name was begun.
  package func count(_ name: String) -> Int { runs.withLock { $0[name, default: 0] } }

  func check(_ statement: SQLStatement) throws(SQLFailure) {
    runs.withLock { $0[statement.name, default: 0] += 1 }
    let failure: SQLFailure? = failures.withLock { failures in
      guard let next = failures[statement.name]?.first else { return nil }
      failures[statement.name]?.removeFirst()
      return next
    }
    if let failure { throw failure }
  }

  /// Whether two references are to the same object.
  package static func == (one: SQLiteFaults, other: SQLiteFaults) -> Bool { one === other }

  /// Hashes the identity.
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
