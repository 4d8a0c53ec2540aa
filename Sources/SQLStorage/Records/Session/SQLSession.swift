internal import PurchaseStorage

/// A connection inside a transaction, whose failures are those of a store.
struct SQLSession {
  let connection: any SQLConnection
  let access: SQLRecords.Access

  /// Whether rows that are looked up are locked.
  var locks: Bool { connection.dialect == .postgres && access == .writing }

  /// The variant of a statement that this session needs.
  func choose(_ statement: LockableStatement) -> SQLStatement {
    locks ? statement.locking : statement.plain
  }

  func query(_ statement: SQLStatement, _ values: [SQLValue]) async throws -> [SQLRow] {
    do {
      return try await connection.query(statement, values)
    } catch let failure as SQLFailure {
      throw StorageFailure(failure)
    }
  }

  /// Runs statements in order, at once where the driver can.
  func query(_ calls: [SQLCall]) async throws -> [[SQLRow]] {
    guard !calls.isEmpty else { return [] }
    do {
      return try await connection.query(calls)
    } catch let failure as SQLFailure {
      throw StorageFailure(failure)
    }
  }

  /// Runs a statement and counts the rows that it changed.
  func execute(_ statement: SQLStatement, _ values: [SQLValue]) async throws -> Int {
    do {
      return try await connection.execute(statement, values)
    } catch let failure as SQLFailure {
      throw StorageFailure(failure)
    }
  }

  /// Runs a statement whose rows nobody counts, which drivers may send with the next one.
  func run(_ statement: SQLStatement, _ values: [SQLValue]) async throws {
    try await execute(statement, each: [values])
  }

  func execute(_ statement: SQLStatement, each rows: [[SQLValue]]) async throws {
    do {
      try await connection.execute(statement, each: rows)
    } catch let failure as SQLFailure {
      throw StorageFailure(failure)
    }
  }
}

/// A statement that looks rows up, and the same where it locks them besides.
///
/// SQLite has one writer, so that nothing is to be locked in it.
struct LockableStatement {
  let plain: SQLStatement
  let locking: SQLStatement

  /// A statement in both variants.
  init(plain: SQLStatement, locking: SQLStatement) {
    self.plain = plain
    self.locking = locking
  }

  /// A statement whose lock stands at its end.
  init(_ name: String, _ sql: String, lock: String) {
    plain = SQLStatement(name, sql)
    locking = SQLStatement(name + "_locking", "\(sql)\n\(lock)")
  }

  /// A statement that changes the rows whose keys a query finds.
  ///
  /// PostgreSQL might join what such a query finds with the whole table; what is in an array, it looks
  /// up.
  init(_ name: String, _ change: String, where key: String, in query: String, lock: String) {
    plain = SQLStatement(name, "\(change) WHERE \(key) IN (\n\(query))")
    locking = SQLStatement(
      name + "_locking", "\(change) WHERE \(key) = ANY(ARRAY(\n\(query)\n\(lock)))")
  }
}
