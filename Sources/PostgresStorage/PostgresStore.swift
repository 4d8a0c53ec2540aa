public import PurchaseStorage
public import SQLStorage

/// A store in PostgreSQL (13 or later), shared by any number of processes.
///
/// A unit of work that writes is `READ COMMITTED` and locks the rows that it reads; one that reads
/// sees one snapshot. It is retried at most three times after a serialization failure, a deadlock
/// or a lock timeout. A duplicate key is thrown at once. If the connection is lost before the
/// commit was sent, it is replaced once and the unit of work runs again; if it is lost after that,
/// the error has `mayHaveCommitted`, and nothing is repeated.
///
/// Of several hosts it uses the one that takes writes. While it is lost, one search for another runs, and all
/// callers hear of it at once; connections to a host that no longer takes writes are given up. A commit whose
/// answer was lost, or that no standby confirmed, is looked up by a row that its transaction wrote. The unit of
/// work then ends as it did, or runs again because it did not; if neither is known in time, the error has
/// `mayHaveCommitted`.
public final class PostgresStore: PurchaseStore {
  private let server: ServerStore<PostgresTarget>
  private let target: PostgresTarget
  /// The connections to standbys, if the connection string allows reads there.
  private let standbys: ServerStore<PostgresTarget>?
  /// The capabilities that the database has; one that was opened without being asked has all.
  public let capabilities: Set<StoreCapability>
  private let present: Set<SQLCapability>

  /// Connects, and migrates the database to the schema of this version.
  ///
  /// - Parameters:
  ///   - connection: Keywords and values, or a URL, in libpq's syntax. Missing options come from
  ///     libpq's environment variables and its password file. Over a network, set
  ///     `sslmode=verify-full` and `sslrootcert`. A schema other than `public` is set by
  ///     `options=-csearch_path=…`. `reads=standby`, as a part of a URL or at the end of keywords,
  ///     allows ``readFromStandby(_:)`` to ask a standby.
  ///   - capabilities: The capabilities whose tables the database is to have, besides
  ///     ``/SQLStorage/SQLCapability/purchases``. A database keeps those that it has. All processes that
  ///     share a database give the same ones.
  ///   - configuration: Numbers and times.
  /// - Throws: `UnsuitableTables`; `StorageFailure`; never with the connection string or the password.
  public convenience init(
    connection: String, capabilities: Set<SQLCapability> = SQLCapability.standard,
    configuration: Configuration = Configuration()
  ) async throws {
    let store = try PostgresStore(unmigrated: connection, configuration: configuration)
    let check = ServerCheck(of: store.target)
    try await check.checkServer(connectingWithin: configuration.startLimit)
    let present = try await store.migrate(capabilities, connectingWithin: configuration.startLimit)
    try await check.checkTables(connectingWithin: configuration.startLimit)
    try await store.markCommits()
    self.init(on: store.target, server: store.server, present: present)
  }

  /// Creates a store on a database that has all capabilities already, or gets them by
  /// ``migrate(_:connectingWithin:)``; it connects when it is first used.
  package convenience init(
    unmigrated connection: String, configuration: Configuration = Configuration()
  ) throws {
    let target = PostgresTarget(
      string: try ConnectionString(connection), configuration: configuration)
    self.init(on: target, server: ServerStore(on: target), present: SQLCapability.all)
  }

  private init(
    on target: PostgresTarget, server: ServerStore<PostgresTarget>, present: Set<SQLCapability>
  ) {
    self.server = server
    self.target = target
    standbys = PostgresTarget(readingStandbysOf: target).map { ServerStore(on: $0) }
    self.present = present
    capabilities = SQLCapability.served(by: present)
  }

  /// Applies the migrations that the database has not seen; of many processes, one does.
  ///
  /// If the database has seen all of them, nothing is locked unless tables are adopted or in other databases, and the
  /// rights to read and write rows are enough.
  ///
  /// Without a limit, that of other units of work holds for the attempts to reach the server.
  @discardableResult
  package func migrate(
    _ capabilities: Set<SQLCapability> = SQLCapability.all,
    connectingWithin patience: Duration? = nil
  ) async throws -> Set<SQLCapability> {
    try await server.migrate(capabilities, connectingWithin: patience)
  }

  /// Marks commits from now on, if there are several hosts, so that those whose answer is lost are found again.
  ///
  /// The table is the driver's own, not a migration: a database on one host does without.
  package func markCommits() async throws {
    guard let hosts = target.hosts else { return }
    let isThere = try await perform(.reading) { try await !$0.query(.findMarks, []).isEmpty }
    try await perform(.writing) { connection in
      if !isThere {
        _ = try await connection.query(.migrationLock, [])
        if try await connection.query(.findMarks, []).isEmpty {
          try await connection.execute(.createMarks, [])
        }
      }
      try await connection.execute(.removeMarks, [])
    }
    hosts.markCommits()
  }

  /// Waits for the units of work that have begun, and closes all connections; later ones are
  /// refused.
  public func close() async {
    await server.close()
    await standbys?.close()
  }

  /// Runs a unit of work that reads one snapshot.
  ///
  /// It may run more than once.
  ///
  /// - Throws: Errors of `body`; `StorageFailure`; `CancellationError` if the task is cancelled
  ///   while it waits.
  public func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await server.perform(.reading, on: present, body)
  }

  /// Runs a unit of work that reads, on a standby if the connection string has `reads=standby` and one is there.
  ///
  /// It sees one snapshot, which may be older than what was answered already. Use it for what is only shown, such as
  /// lists of support, and never inside another unit of work. No service uses it, because services decide by what they
  /// read. Where a standby says nothing for 5 seconds, is not there for as long, or fails in any other way, the closure
  /// runs again on the leader.
  ///
  /// - Throws: As ``read(_:)``.
  public func readFromStandby<Result: Sendable>(
    _ body: UnitOfWorkBody<Result>
  ) async throws -> Result {
    try await performFromStandby {
      try await body(SQLRecords($0, access: .reading, capabilities: present).unit)
    }
  }

  /// The same on the connection itself.
  package func performFromStandby<Result: Sendable>(
    _ body: SQLConnectionBody<Result>
  ) async throws -> Result {
    guard let standbys else { return try await perform(.reading, body) }
    do {
      return try await standbys.perform(.reading, body)
    } catch is StorageFailure {
      // Also a conflict with what is replayed there, or a table that it does not have yet.
      return try await perform(.reading, body)
    }
  }

  /// Runs a unit of work that reads and writes; it is committed as a whole or not at all.
  ///
  /// It may run more than once.
  ///
  /// - Throws: Errors of `body`; `StorageFailure`; `CancellationError` if the task is cancelled
  ///   while it waits.
  public func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await server.perform(.writing, on: present, body)
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
  package var waiting: Int { server.waiting }

  /// Runs a unit of work on the connection itself.
  @discardableResult
  package func perform<Result: Sendable>(
    _ access: SQLRecords.Access,
    _ body: SQLConnectionBody<Result>
  ) async throws -> Result {
    try await server.perform(access, body)
  }
}

extension PostgresStore {
  /// The number of connections, and time limits.
  public struct Configuration: Hashable, Sendable {
    /// The maximum number of open connections, at least one.
    public var connectionLimit: Int = 16
    /// The time that a caller waits for a free connection.
    public var waitLimit: Duration = .seconds(10)
    /// The time for which a unit of work retries a server that is starting, full or unreachable.
    ///
    /// Callers that wait for a connection meanwhile fail with it, unless another connection is
    /// open.
    ///
    /// One attempt may take longer: `connect_timeout` of the connection string, by default 2
    /// seconds (the minimum of libpq), for each of its hosts.
    public var reconnectLimit: Duration = .seconds(2)
    /// The time for which a new store retries such a server.
    public var startLimit: Duration = .seconds(10)
    /// The time that a statement waits for a lock (`lock_timeout`); nil leaves the server's
    /// setting.
    public var lockLimit: Duration? = .seconds(5)
    /// The time that a statement may run (`statement_timeout`); nil leaves the server's setting.
    public var statementLimit: Duration? = .seconds(30)
    /// The time that a unit of work may be idle before the server ends it
    /// (`idle_in_transaction_session_timeout`); nil leaves the server's setting.
    public var idleLimit: Duration? = .seconds(60)
    /// The time beyond ``statementLimit`` for which the server may be silent before the connection
    /// counts as lost.
    ///
    /// Without it, or without a statement limit, there is no such limit.
    public var silenceLimit: Duration? = .seconds(60)
    /// The time that a commit may take where there are several hosts; nil for that of any statement.
    ///
    /// A commit waits for a synchronous standby, without a limit of the server's. One that takes longer counts as
    /// lost, and its outcome is looked up.
    public var commitLimit: Duration? = .seconds(8)
    /// The time for which the outcome of a commit is looked up, where there are several hosts.
    public var outcomeLimit: Duration = .seconds(5)
    /// Whether a commit waits until it is on the server's disk, even if the server, the role or the
    /// connection string set `synchronous_commit` to less than `on`.
    ///
    /// With false their setting holds, and a crash of the server may lose acknowledged commits.
    public var waitsForDisk: Bool = true

    /// The treatment of tables that the database has before the store makes its own.
    ///
    /// With ``/SQLStorage/ExistingTables/adopt``, the role of the first start has to own them.
    public var existingTables: ExistingTables = .refuse

    /// Creates the default configuration.
    public init() {}
  }
}
