internal import CStorekeeperSQLite
internal import StorekeeperLocks
internal import SQLStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The preparation of a database file, and the check of its owner.
enum SQLiteFile {
  /// "Stkp", the mark of Storekeeper in the header of the file.
  static let applicationID: Int64 = 0x5374_6B70

  /// Migrates the file to the current schema in one transaction; one process at a time does so.
  ///
  /// - Returns: The capabilities that the file has.
  static func prepare(
    _ connection: SQLiteConnection, with capabilities: Set<SQLCapability>, waiting limit: Duration
  ) async throws -> Set<SQLCapability> {
    // Checked before anything is changed, as the file may belong to another program.
    try connection.run("BEGIN")
    do {
      try checkOwner(connection)
      try connection.run("ROLLBACK")
    } catch {
      try rollBack(connection)
      throw error
    }
    try await useWriteAheadLog(connection, waiting: limit)
    try connection.run("BEGIN IMMEDIATE")
    do {
      try checkOwner(connection)
      let present = try await SQLMigrator.migrate(connection, capabilities, now: Date())
      try sign(connection)
      try connection.run("COMMIT")
      return present
    } catch {
      try rollBack(connection)
      throw error
    }
  }

  private static func rollBack(_ connection: SQLiteConnection) throws(SQLFailure) {
    if connection.isInTransaction { try connection.run("ROLLBACK") }
  }

  /// Refuses a file with the tables of another program.
  ///
  /// It runs in a transaction: two separate reads could come before and after another process
  /// prepares the file.
  private static func checkOwner(_ connection: SQLiteConnection) throws(SQLFailure) {
    switch try connection.value("PRAGMA application_id") {
    case .integer(applicationID): return
    case .integer(0) where try tables(in: connection) == .integer(0): return
    default:
      throw .other(code: Int(SQLITE_NOTADB), detail: "the file is a database of another program")
    }
  }

  private static func tables(in connection: SQLiteConnection) throws(SQLFailure) -> SQLValue {
    try connection.value("SELECT COUNT(*) FROM sqlite_schema")
  }

  private static func sign(_ connection: SQLiteConnection) throws(SQLFailure) {
    guard try connection.value("PRAGMA application_id") != .integer(applicationID) else { return }
    try connection.run("PRAGMA application_id = \(applicationID)")
  }

  /// Switches to a write-ahead log, with which readers and the writer do not block each other.
  ///
  /// SQLite does not wait here by itself, because two connections that both switch could wait for
  /// each other.
  private static func useWriteAheadLog(
    _ connection: SQLiteConnection, waiting limit: Duration
  ) async throws {
    let end = ContinuousClock.Instant.after(limit)
    while true {
      do throws(SQLFailure) {
        guard try connection.value("PRAGMA journal_mode = WAL") == .text("wal") else {
          throw .other(code: Int(SQLITE_CANTOPEN), detail: "the file cannot have a write-ahead log")
        }
        return
      } catch {
        guard case .conflict = error, ContinuousClock.now < end else { throw error }
      }
      try await Task.sleep(for: .milliseconds(1))
    }
  }
}
