extension PostgresStore {
  /// How many connections there are, and how long anything may take.
  public struct Configuration: Hashable, Sendable {
    /// The most connections that are open at once, at least one.
    public var connectionLimit: Int = 16
    /// How long a caller waits for a free connection.
    public var waitLimit: Duration = .seconds(10)
    /// How long a unit of work tries a server again that is starting, full or out of reach; those that
    /// wait for a connection meanwhile fail with it, unless another connection is open.
    ///
    /// One try may take longer: `connect_timeout` of the connection string (2 seconds unless it says
    /// otherwise, which is the least of libpq) for each of its hosts.
    public var reconnectLimit: Duration = .seconds(2)
    /// How long the same is tried when a store is made.
    public var startLimit: Duration = .seconds(10)
    /// How long a statement waits for a lock (`lock_timeout`); nil leaves the server's setting.
    public var lockLimit: Duration? = .seconds(5)
    /// How long a statement runs (`statement_timeout`); nil leaves the server's setting.
    public var statementLimit: Duration? = .seconds(30)
    /// How long a unit of work does nothing before the server ends it
    /// (`idle_in_transaction_session_timeout`); nil leaves the server's setting.
    public var idleLimit: Duration? = .seconds(60)
    /// How much longer than ``statementLimit`` the server may be silent before the connection counts as
    /// lost; nil, as no statement limit, lets it be silent for ever.
    public var silenceLimit: Duration? = .seconds(60)
    /// Whether a commit waits until it is on the server's disk, even if the server, the role or the
    /// connection string have `synchronous_commit` weaker than `on`; false leaves their setting, and
    /// then a crash of the server may lose what was acknowledged.
    public var waitsForDisk: Bool = true

    /// The defaults.
    public init() {}
  }
}
