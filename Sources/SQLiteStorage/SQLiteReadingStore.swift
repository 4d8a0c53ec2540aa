internal import CStorekeeperSQLite
package import PurchaseStorage
package import SQLStorage
internal import StorekeeperLocks

/// A store in an SQLite file that is only read, for tools beside the programs that write it.
///
/// The file is neither created nor migrated; it must be of this version's schema. Any number of units of
/// work may be asked for at a time; two run.
package final class SQLiteReadingStore: PurchaseStore {
  package let capabilities: Set<StoreCapability>
  private let readers: WaitingLine<SQLiteReader>

  /// Opens an existing file.
  ///
  /// - Throws: `StorageFailure.newerSchema` for a file of a later version of this library;
  ///   `StorageFailure.database` for one that is no database, belongs to another program or lacks
  ///   migrations.
  package init(path: String, capabilities: Set<SQLCapability>) async throws {
    let configuration = SQLiteConfiguration()
    func reader(_ capabilities: Set<SQLCapability>) -> SQLiteReader {
      SQLiteReader(path: path, configuration: configuration, capabilities: capabilities)
    }
    let first = reader([])
    let present = try await Self.throwingStorageFailures {
      try await first.read { records in
        let mark = SQLStatement("reading_mark", "PRAGMA application_id")
        guard
          try await records.connection.query(mark, []) == [[.integer(SQLiteFile.applicationID)]]
        else {
          throw SQLFailure.other(
            code: Int(SQLITE_NOTADB), detail: "the file is a database of another program")
        }
        return try await SQLMigrator.current(records.connection, capabilities)
      }
    }
    await first.close()
    guard let present else {
      throw StorageFailure.database(
        code: Int(SQLITE_SCHEMA), detail: "the database lacks tables of this version")
    }
    self.capabilities = SQLCapability.served(by: present)
    readers = WaitingLine([reader(present), reader(present)])
    // Each opens the file when it is first used.
  }

  /// Runs a unit of work that reads one snapshot.
  package func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await Self.throwingStorageFailures {
      let reader = try await readers.take()
      defer { readers.giveBack(reader) }
      return try await reader.read { try await body($0.unit) }
    }
  }

  /// Throws, as the store only reads.
  ///
  /// - Throws: `StorageFailure.database`.
  package func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    throw StorageFailure.database(code: Int(SQLITE_READONLY), detail: "the store only reads")
  }

  private static nonisolated(nonsending) func throwingStorageFailures<Result>(
    _ body: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    do {
      return try await body()
    } catch let failure as SQLFailure {
      throw StorageFailure(failure)
    }
  }
}
