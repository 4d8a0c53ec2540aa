public import PurchaseStorage
public import SQLStorage
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A store in PostgreSQL (13 or later), shared by any number of processes.
///
/// A unit of work that writes is `READ COMMITTED` and locks the rows that it reads; one that reads
/// sees one snapshot. It is retried at most three times after a serialization failure, a deadlock
/// or a lock timeout. A duplicate key is thrown at once. If the connection is lost before the
/// commit was sent, it is replaced once and the unit of work runs again; if it is lost after that,
/// the error has `mayHaveCommitted`, and nothing is repeated.
public final class PostgresStore: PurchaseStore {
  private let pool: ConnectionPool
  private let reconnectLimit: Duration
  /// The capabilities that the database has; one that was opened without being asked has all.
  public let capabilities: Set<StoreCapability>
  private let present: Set<SQLCapability>

  /// Connects, and migrates the database to the schema of this version.
  ///
  /// - Parameters:
  ///   - connection: Keywords and values, or a URL, in libpq's syntax. Missing options come from
  ///     libpq's environment variables and its password file. Over a network, set
  ///     `sslmode=verify-full` and `sslrootcert`. A schema other than `public` is set by
  ///     `options=-csearch_path=…`.
  ///   - capabilities: The capabilities whose tables the database is to have, besides
  ///     ``/SQLStorage/SQLCapability/purchases``. A database keeps those that it has. All processes that
  ///     share a database give the same ones.
  ///   - configuration: Numbers and times.
  /// - Throws: `StorageFailure`; never with the connection string or the password.
  public convenience init(
    connection: String, capabilities: Set<SQLCapability> = SQLCapability.standard,
    configuration: Configuration = Configuration()
  ) async throws {
    let store = try PostgresStore(unmigrated: connection, configuration: configuration)
    let present = try await store.migrate(
      capabilities, connectingWithin: configuration.startLimit)
    self.init(pool: store.pool, reconnectLimit: store.reconnectLimit, present: present)
  }

  /// Creates a store on a database that has all capabilities already, or gets them by
  /// ``migrate(_:connectingWithin:)``; it connects when it is first used.
  package convenience init(
    unmigrated connection: String, configuration: Configuration = Configuration()
  ) throws {
    let string = try ConnectionString(connection)
    self.init(
      pool: ConnectionPool(to: ConnectionTarget(string: string, configuration: configuration)),
      reconnectLimit: configuration.reconnectLimit, present: SQLCapability.all)
  }

  private init(
    pool: ConnectionPool, reconnectLimit: Duration, present: Set<SQLCapability>
  ) {
    self.pool = pool
    self.reconnectLimit = reconnectLimit
    self.present = present
    capabilities = SQLCapability.served(by: present)
  }

  /// The places of stores that wait for the lock of the migration, each of which holds a thread.
  ///
  /// A process has 255 threads for such waits. If all of them waited, the holder of the lock would
  /// have none.
  private static let migrators = WaitingLine(Array(0..<32))

  /// Applies the migrations that the database has not seen; of many processes, one does.
  ///
  /// If the database has seen all of them, nothing is locked, and the rights to read and write rows are
  /// enough.
  ///
  /// - Parameters:
  ///   - capabilities: The capabilities that the database is to have.
  ///   - patience: The limit to the attempts to reach the server; nil for that of other units of work.
  /// - Returns: The capabilities that the database has.
  /// - Throws: `SQLFailure`, `StorageFailure`.
  @discardableResult
  package func migrate(
    _ capabilities: Set<SQLCapability> = SQLCapability.all,
    connectingWithin patience: Duration? = nil
  ) async throws -> Set<SQLCapability> {
    let present = try await perform(
      .reading, within: .configured, connectingWithin: patience
    ) { try await SQLMigrator.current($0, capabilities) }
    if let present { return present }
    let place = try await Self.migrators.take()
    defer { Self.migrators.giveBack(place) }
    return try await perform(.writing, within: .none, connectingWithin: patience) { connection in
      try await connection.becomeMigrator()
      return try await SQLMigrator.migrate(connection, capabilities, now: Date())
    }
  }

  /// Waits for the units of work that have begun, and closes all connections; later ones are
  /// refused.
  public func close() async { await pool.close() }

  /// Runs a unit of work that reads one snapshot.
  ///
  /// - Parameter body: The unit of work; it may run more than once.
  /// - Returns: The result of `body`.
  /// - Throws: Errors of `body`; `StorageFailure`; `CancellationError` if the task is cancelled
  ///   while it waits.
  public func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await perform(.reading) {
      try await body(SQLRecords($0, access: .reading, capabilities: present).unit)
    }
  }

  /// Runs a unit of work that reads and writes; it is committed as a whole or not at all.
  ///
  /// - Parameter body: The unit of work; it may run more than once.
  /// - Returns: The result of `body`.
  /// - Throws: Errors of `body`; `StorageFailure`; `CancellationError` if the task is cancelled
  ///   while it waits.
  public func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await perform(.writing) {
      try await body(SQLRecords($0, access: .writing, capabilities: present).unit)
    }
  }

  /// Tests whether there is room to write, and whether a commit reaches the disk.
  ///
  /// It writes half a MiB to a temporary table of the connection, which is empty again at the end,
  /// and an empty record to the server's write-ahead log. Without the right to temporary tables it
  /// writes the record only.
  ///
  /// - Throws: `StorageFailure`; `CancellationError` if the task is cancelled while it waits.
  public func tryWriting() async throws {
    try await perform(.writing) { connection in
      if try await connection.query(.mayProbeRoom, []).first != nil {
        try await connection.execute(.makeProbe, [])
        try await connection.execute(.fillProbe, [])
      }
      _ = try await connection.query(.probeLog, [])
    }
  }

  /// The number of units of work that wait for a connection.
  package var waiting: Int { pool.waiting }

  /// Runs a unit of work on the connection itself.
  @discardableResult
  package func perform<Result: Sendable>(
    _ access: SQLRecords.Access,
    _ body: SQLConnectionBody<Result>
  ) async throws -> Result {
    try await perform(access, within: .configured, body)
  }

  private func perform<Result: Sendable>(
    _ access: SQLRecords.Access, within limit: StatementLimit,
    connectingWithin patience: Duration? = nil,
    _ body: SQLConnectionBody<Result>
  ) async throws -> Result {
    do {
      return try await pool.withConnection { [reconnectLimit] connection in
        try await connection.perform(
          access, within: limit, connectingWithin: patience ?? reconnectLimit, body)
      }
    } catch let failure as SQLFailure {
      throw StorageFailure(failure)
    }
  }
}
