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
    /// Whether a commit waits until it is on the server's disk, even if the server, the role or the
    /// connection string set `synchronous_commit` to less than `on`.
    ///
    /// With false their setting holds, and a crash of the server may lose acknowledged commits.
    public var waitsForDisk: Bool = true

    /// Creates the default configuration.
    public init() {}
  }
}
