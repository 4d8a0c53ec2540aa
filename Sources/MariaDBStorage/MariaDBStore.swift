public import PurchaseStorage
public import SQLStorage

/// A store in MariaDB (10.6 or later, InnoDB), shared by any number of processes.
///
/// A unit of work that writes is `READ COMMITTED` and locks the rows that it reads; one that reads sees one snapshot.
/// It is retried at most three times after a deadlock or a lock timeout. A duplicate key is thrown at once. If the
/// connection is lost before the commit was sent, it is replaced once and the unit of work runs again; if it is lost
/// after that, the error has `mayHaveCommitted`, and nothing is repeated.
///
/// With several hosts in its URL it is a store in a Galera cluster, of which one node at a time takes what is written. If
/// that node cannot be reached, another one takes its place; a commit whose answer was lost is then looked up. All stores
/// of a database name the same nodes.
///
/// MySQL is refused for now.
public final class MariaDBStore: PurchaseStore {
  private let server: ServerStore<MariaDBTarget>
  private let isCluster: Bool
  private let waitsForDisk: Bool
  /// The capabilities that the database has; one that was opened without being asked has all.
  public let capabilities: Set<StoreCapability>
  private let present: Set<SQLCapability>

  /// Connects, checks the server, and migrates the database to the schema of this version.
  ///
  /// The user needs the rights to read and write rows, and, while the database has not seen all migrations, to create
  /// and change tables, indices and views.
  ///
  /// - Parameters:
  ///   - url: `mysql://user:password@host:port/database`, or the same with `mariadb://`; the port is 3306 unless it
  ///     is there. The nodes of a cluster are separated by commas: `mysql://user@host,host,host/database`. Options
  ///     follow: `tls=verify-identity` (certificate and name of the server are checked; the default except for this
  ///     machine), `verify-ca` (the certificate alone; with a library of 3.4 or later also the name), `required`
  ///     (encrypted, with whoever answers) or `disabled` (the default on this machine); `ca=` with a file of
  ///     certificates that are trusted in place of the system's; `socket=` with the path of a Unix socket in place of
  ///     host and port.
  ///   - password: The password in place of one in the URL.
  ///   - capabilities: The capabilities whose tables the database is to have, besides
  ///     ``/SQLStorage/SQLCapability/purchases``. A database keeps those that it has. All processes that
  ///     share a database give the same ones.
  ///   - configuration: Numbers and times.
  /// - Throws: ``UnsuitableServer``; `UnsuitableTables`; `StorageFailure`; never with the URL or the password.
  public convenience init(
    url: String, password: String? = nil,
    capabilities: Set<SQLCapability> = SQLCapability.standard,
    configuration: Configuration = Configuration()
  ) async throws {
    let store = try MariaDBStore(unmigrated: url, password: password, configuration: configuration)
    try await store.check(connectingWithin: configuration.startLimit)
    let present = try await store.migrate(capabilities, connectingWithin: configuration.startLimit)
    self.init(
      server: store.server, isCluster: store.isCluster, waitsForDisk: store.waitsForDisk,
      present: present)
  }

  /// Creates a store on a database that has all capabilities already, or gets them by
  /// ``migrate(_:connectingWithin:)``; it connects when it is first used.
  package convenience init(
    unmigrated url: String, password: String? = nil, configuration: Configuration = Configuration()
  ) throws {
    let target = try MariaDBTarget(
      MariaDBAddress.hosts(of: url, password: password), configuration: configuration)
    self.init(
      server: ServerStore(on: target), isCluster: target.nodes != nil,
      waitsForDisk: configuration.waitsForDisk, present: SQLCapability.all)
  }

  private init(
    server: ServerStore<MariaDBTarget>, isCluster: Bool, waitsForDisk: Bool,
    present: Set<SQLCapability>
  ) {
    self.server = server
    self.isCluster = isCluster
    self.waitsForDisk = waitsForDisk
    self.present = present
    capabilities = SQLCapability.served(by: present)
  }

  /// Checks that the server is one on which a store keeps its promises.
  ///
  /// - Throws: ``UnsuitableServer``; `StorageFailure`.
  package func check(connectingWithin patience: Duration? = nil) async throws {
    let traits = try await server.perform(.reading, connectingWithin: patience) {
      try await ServerTraits(of: $0)
    }
    try traits.check(isCluster: isCluster, waitsForDisk: waitsForDisk)
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

  /// Waits for the units of work that have begun, and closes all connections; later ones are
  /// refused.
  public func close() async { await server.close() }

  /// Runs a unit of work that reads one snapshot.
  ///
  /// It may run more than once.
  ///
  /// - Throws: Errors of `body`; `StorageFailure`; `CancellationError` if the task is cancelled
  ///   while it waits.
  public func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await server.perform(.reading, on: present, body)
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

  /// Tests whether there is room to write, and whether a commit succeeds.
  ///
  /// It writes half a MiB to a table of its own, which is empty again at the end. InnoDB may keep room for that table
  /// while others get none, so it also fails for ten seconds after a unit of work has found no room.
  ///
  /// - Throws: `StorageFailure`; `CancellationError` if the task is cancelled while it waits.
  public func tryWriting() async throws {
    if let failure = server.fullDisk(within: .seconds(10)) { throw failure }
    try await perform(.writing) { connection in
      try await connection.execute(.fillProbe, [])
      try await connection.execute(.emptyProbe, [])
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

extension MariaDBStore {
  /// The number of connections, and time limits; the server counts in whole seconds, which are rounded up.
  public struct Configuration: Hashable, Sendable {
    /// The maximum number of open connections, at least one.
    ///
    /// Each may keep some 200 prepared statements; the server's `max_prepared_stmt_count` holds for all of them.
    public var connectionLimit: Int = 16
    /// The time that a caller waits for a free connection.
    public var waitLimit: Duration = .seconds(10)
    /// The time that one attempt to connect may take.
    public var connectLimit: Duration = .seconds(2)
    /// The time for which a unit of work retries a server that is starting, full or unreachable.
    ///
    /// Callers that wait for a connection meanwhile fail with it, unless another connection is
    /// open.
    public var reconnectLimit: Duration = .seconds(2)
    /// The time for which a new store retries such a server.
    public var startLimit: Duration = .seconds(10)
    /// The time that a statement waits for a lock (`innodb_lock_wait_timeout` and `lock_wait_timeout`); nil leaves
    /// the server's setting.
    public var lockLimit: Duration? = .seconds(5)
    /// The time that a statement may run (`max_statement_time`); nil leaves the server's setting.
    public var statementLimit: Duration? = .seconds(30)
    /// The time that a unit of work may be idle before the server ends it
    /// (`idle_transaction_timeout`); nil leaves the server's setting.
    public var idleLimit: Duration? = .seconds(60)
    /// The time beyond ``statementLimit`` for which the server may be silent before the connection
    /// counts as lost.
    ///
    /// Without it, or without a statement limit, there is no such limit.
    public var silenceLimit: Duration? = .seconds(60)
    /// The time for which a node of a cluster may be silent before its connection counts as lost.
    ///
    /// It holds for each statement, also where ``statementLimit`` is longer. A cluster notices a node that stands
    /// still after some five seconds.
    public var nodeLimit: Duration = .seconds(8)
    /// The time for which the outcome of a commit is looked up, in a cluster.
    ///
    /// It has to be longer than a cluster needs to give a node up.
    public var outcomeLimit: Duration = .seconds(15)
    /// Whether a server is refused whose settings let a crash lose acknowledged commits:
    /// `innodb_flush_log_at_trx_commit` other than 1, or a binary log with `sync_binlog` other than 1.
    ///
    /// No session can change these settings.
    public var waitsForDisk: Bool = true
    /// The treatment of tables that the database has before the store makes its own.
    ///
    /// With ``/SQLStorage/ExistingTables/adopt``, the first start needs the right to change them.
    public var existingTables: ExistingTables = .refuse
    /// The databases of the server in which tables lie, by the names of the tables, as `["apple_receipt": "file_store"]`;
    /// all others, and always `storekeeper_migration`, lie in the database of the URL.
    ///
    /// All processes that share a database give the same ones.
    public var databases: [String: String] = [:]

    /// Creates the default configuration.
    public init() {}
  }
}

// The table is empty again at the end.
extension SQLStatement {
  fileprivate static let fillProbe = SQLStatement(
    "probe_fill", "INSERT INTO storekeeper_probe (room) VALUES (REPEAT('x', 524288))")

  fileprivate static let emptyProbe = SQLStatement(
    "probe_empty", "DELETE FROM storekeeper_probe WHERE id = LAST_INSERT_ID()")
}
