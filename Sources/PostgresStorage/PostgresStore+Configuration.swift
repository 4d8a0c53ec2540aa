extension PostgresStore {
  /// How many connections there are, and how long anything may take.
  public struct Configuration: Hashable, Sendable {
    /// The most connections that are open at once, at least one.
    public var connectionLimit: Int = 16
    /// How long a caller waits for a free connection.
    public var waitLimit: Duration = .seconds(10)
    /// How long a server that is starting, full or out of reach is tried again.
    public var reconnectLimit: Duration = .seconds(10)
    /// How long a statement waits for a lock (`lock_timeout`); nil leaves the server's setting.
    public var lockLimit: Duration? = .seconds(5)
    /// How long a statement runs (`statement_timeout`); nil leaves the server's setting.
    public var statementLimit: Duration? = .seconds(30)
    /// How long a unit of work does nothing before the server ends it
    /// (`idle_in_transaction_session_timeout`); nil leaves the server's setting.
    public var idleLimit: Duration? = .seconds(60)

    /// The defaults.
    public init() {}
  }
}
