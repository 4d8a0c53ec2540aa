internal import CStorekeeperSQLite
internal import StorekeeperLocks
internal import SQLStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Whether a file is ours, and how it becomes so.
enum SQLiteFile {
  /// "Stkp": what the header of our files says whose they are.
  static let applicationID: Int64 = 0x5374_6B70

  /// Brings the file to the present shape, in one transaction that one process at a time has.
  ///
  /// - Parameters:
  ///   - connection: A connection to the file.
  ///   - capabilities: The capabilities that the file is to have.
  ///   - limit: How long to wait for another process.
  /// - Returns: The capabilities that the file has.
  /// - Throws: `SQLFailure`, `StorageFailure`, `CancellationError`.
  static func prepare(
    _ connection: SQLiteConnection, with capabilities: Set<SQLCapability>, waiting limit: Duration
  ) async throws -> Set<SQLCapability> {
    // Before anything is changed in a file that is another program's.
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

  /// A file with the tables of another program is not touched.
  ///
  /// In a transaction, because two reads without one may be before and after another process makes the
  /// file its own.
  private static func checkOwner(_ connection: SQLiteConnection) throws(SQLFailure) {
    switch try connection.value("PRAGMA application_id") {
    case .integer(applicationID): return
    case .integer(0) where try tables(in: connection) == .integer(0): return
    default:
      throw .other(
        code: Int(SQLITE_NOTADB), detail: "the file is a database of another program")
    }
  }

  private static func tables(in connection: SQLiteConnection) throws(SQLFailure) -> SQLValue {
    try connection.value("SELECT COUNT(*) FROM sqlite_schema")
  }

  private static func sign(_ connection: SQLiteConnection) throws(SQLFailure) {
    guard try connection.value("PRAGMA application_id") != .integer(applicationID) else { return }
    try connection.run("PRAGMA application_id = \(applicationID)")
  }

  /// With a log of its own beside the file, readers and the writer do not wait for each other.
  ///
  /// SQLite itself waits for nobody here: of two that begin to use a log, each could wait for the other.
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
