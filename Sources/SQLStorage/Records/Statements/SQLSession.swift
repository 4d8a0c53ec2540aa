internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A connection inside a transaction, whose failures are those of a store.
struct SQLSession {
  let connection: any SQLConnection
  let access: SQLRecords.Access
  /// Whether the database has subscriptions, whose rows hold the stamps of whole answers.
  let hasStamps: Bool
  /// What the unit of work asked in advance.
  let kept = KeptAnswers()

  var locks: Bool { connection.dialect != .sqlite && access == .writing }

  /// The variant of a statement that this session needs.
  func choose(_ statement: LockableStatement) -> SQLStatement {
    locks ? statement.locking : statement.plain
  }

  /// The form of a statement that this database needs.
  func choose<Form>(_ forms: StampForms<Form>) -> Form { hasStamps ? forms.stamped : forms.plain }

  func query(_ statement: SQLStatement, _ values: [SQLValue]) async throws -> [SQLRow] {
    if let rows = kept.rows(of: statement, values) { return rows }
    kept.forget(changedBy: statement)
    return try await translating { try await connection.query(statement, values) }
  }

  /// Runs statements in order, in one exchange where the driver can; what was asked in advance is not asked again.
  func query(_ calls: [SQLCall]) async throws -> [[SQLRow]] {
    var answers = calls.map { kept.rows(of: $0.statement, $0.values) }
    let missing = answers.indices.filter { answers[$0] == nil }
    let rows = try await ask(missing.map { calls[$0] })
    for (index, rows) in zip(missing, rows) { answers[index] = rows }
    return answers.compactMap(\.self)
  }

  /// Runs statements in order, unless the answers of all of them are kept: each shows what the one before it locked.
  func queryTogether(_ calls: [SQLCall]) async throws -> [[SQLRow]] {
    if let rows = kept.rows(ofAll: calls) { return rows }
    return try await ask(calls)
  }

  /// Runs statements in order, in one exchange where the driver can, whatever was asked in advance.
  func ask(_ calls: [SQLCall]) async throws -> [[SQLRow]] {
    guard !calls.isEmpty else { return [] }
    for call in calls { kept.forget(changedBy: call.statement) }
    return try await translating { try await connection.query(calls) }
  }

  func execute(_ statement: SQLStatement, _ values: [SQLValue]) async throws -> Int {
    kept.forget(changedBy: statement)
    return try await translating { try await connection.execute(statement, values) }
  }

  /// Runs a statement whose changes nobody counts, which drivers may send with the next one.
  func run(_ statement: SQLStatement, _ values: [SQLValue]) async throws {
    try await execute(statement, each: [values])
  }

  /// Runs a statement, and returns how many rows it changed; nil where only another exchange with a server would tell.
  func runCounting(_ statement: SQLStatement, _ values: [SQLValue]) async throws -> Int? {
    if connection.dialect == .sqlite { return try await execute(statement, values) }
    try await run(statement, values)
    return nil
  }

  func execute(_ statement: SQLStatement, each rows: [[SQLValue]]) async throws {
    guard !rows.isEmpty else { return }
    kept.forget(changedBy: statement)
    try await translating { try await connection.execute(statement, each: rows) }
  }

  private func translating<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let failure as SQLFailure {
      throw StorageFailure(failure)
    }
  }
}

/// A statement that finds rows, in two forms: one that locks them, and one that does not.
///
/// A unit of work that writes uses the locking form on a server. SQLite needs none, as it has one writer.
final class LockableStatement: Sendable {
  let plain: SQLStatement
  let locking: SQLStatement

  /// A statement in both variants.
  init(plain: SQLStatement, locking: SQLStatement) {
    self.plain = plain
    self.locking = locking
  }

  /// A statement whose lock stands at its end, and whose text for MariaDB may be another.
  init(_ name: String, _ sql: String, mariadb: String? = nil, lock: String) {
    plain = SQLStatement(name, sql, mariadb: mariadb)
    locking = SQLStatement(
      name + "_locking", "\(sql)\n\(lock)", mariadb: mariadb.map { "\($0)\n\(lock)" })
  }

  /// A statement that changes the rows whose keys a query finds.
  ///
  /// PostgreSQL might join what such a query finds with the whole table; what is in an array, it looks
  /// up. MariaDB finds no limited number of rows but by a join.
  init(_ name: String, _ change: Change, where key: String, in query: String, lock: String) {
    plain = SQLStatement(name, "\(change.sql) WHERE \(key) IN (\n\(query))")
    locking = SQLStatement(
      name + "_locking", "\(change.sql) WHERE \(key) = ANY(ARRAY(\n\(query)\n\(lock)))",
      mariadb: change.joined("(\n\(query)\n\(lock)) AS chosen USING (\(key))"))
  }

  /// A change of the rows of a table.
  enum Change {
    case update(String, set: String)
    case delete(from: String)

    fileprivate var sql: String {
      switch self {
      case .update(let table, let change): "UPDATE \(table) SET \(change)"
      case .delete(let table): "DELETE FROM \(table)"
      }
    }

    /// The change of the rows that a table has in common with another.
    fileprivate func joined(_ other: String) -> String {
      switch self {
      case .update(let table, let change): "UPDATE \(table) JOIN \(other) SET \(change)"
      case .delete(let table): "DELETE \(table) FROM \(table) JOIN \(other)"
      }
    }
  }
}

extension SQLSession {
  /// The maximum number of rows that one statement takes off hold.
  ///
  /// So many rows take little time. The number is part of the statement's text, so that the database plans for it.
  static let wakeLimit = 1000

  /// Takes rows off hold whose time has come, the earliest first.
  ///
  /// Takes as many rows as a lease of the given size needs, and leaves the others to the next lease.
  func wake(_ statement: LockableStatement, now: Date, atLeast limit: Int) async throws {
    let statement = choose(statement)
    var left = limit
    while left > Self.wakeLimit {
      let count = try await execute(statement, [.seconds(now)])
      guard count >= Self.wakeLimit else { return }
      left -= count
    }
    try await run(statement, [.seconds(now)])
  }
}
