internal import JSONValues
internal import SQLStorage

/// The server of a store's connections, with their settings.
struct PostgresTarget: ServerTarget {
  let string: ConnectionString
  let configuration: PostgresStore.Configuration
  /// The hosts, if there are several.
  let hosts: HostList?
  /// The time after which a server that says nothing, or is not there, is left; nil for those of the configuration.
  private let patience: Duration?

  init(string: ConnectionString, configuration: PostgresStore.Configuration) {
    self.string = string
    self.configuration = configuration
    hosts = HostList(string, configuration: configuration)
    patience = nil
  }

  /// Creates the target of reads that may go to a standby; nil if the connection string allows none.
  init?(readingStandbysOf target: PostgresTarget) {
    guard target.string.readsStandby else { return nil }
    string = target.string.standbys
    configuration = target.configuration
    patience = .seconds(5)
    hosts = nil
  }

  private var answerLimit: Duration? {
    [configuration.answerLimit, patience].compactMap(\.self).min()
  }

  var existingTables: ExistingTables { configuration.existingTables }

  var limits: ServerLimits {
    ServerLimits(
      connections: configuration.connectionLimit, wait: configuration.waitLimit,
      reconnect: min(configuration.reconnectLimit, patience ?? configuration.reconnectLimit),
      answer: answerLimit,
      outcome: configuration.outcomeLimit)
  }

  var isOutOfReach: Bool { hosts?.watch.isLeaderless ?? false }

  var isStalled: Bool { hosts?.isStalled ?? false }

  func open(within patience: Duration) async throws -> PostgresLink {
    guard let hosts else { return try await retried(within: patience) }
    return try await hosts.open(within: patience)
  }

  func connect() throws(ServerFailure) -> PostgresLink {
    let link = try PostgresLink.open(string)
    link.silenceLimit = answerLimit
    try link.apply(configuration)
    return link
  }
}

extension PostgresLink {
  /// Applies the settings of a session.
  func apply(_ configuration: PostgresStore.Configuration) throws(ServerFailure) {
    for setting in configuration.settings {
      try send(.setting, ParameterTexts(texts: [setting.name, setting.value]))
    }
    if configuration.waitsForDisk { try send(.waitForDisk, .none) }
    try finish()
  }
}

extension SQLStatement {
  fileprivate static let setting = SQLStatement("setting", "SELECT set_config($1, $2, false)")

  /// Makes commits wait for the disk; a stronger setting is kept.
  fileprivate static let waitForDisk = SQLStatement(
    "wait_for_disk",
    """
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') <> 'remote_apply'
    """)
}

extension SQLStatement {
  static let lockLimit = SQLStatement(
    "lock_limit", "SELECT set_config('lock_timeout', $1, true)")
}

extension PostgresStore.Configuration {
  /// The time for which the server may be silent while an answer is due; nil for no limit.
  var answerLimit: Duration? {
    guard let statementLimit, let silenceLimit else { return nil }
    return statementLimit + silenceLimit
  }

  /// The settings of the session; those without a limit here keep the value of the server or the
  /// connection string.
  fileprivate var settings: [(name: String, value: String)] {
    let limits = [
      ("lock_timeout", lockLimit), ("statement_timeout", statementLimit),
      ("idle_in_transaction_session_timeout", idleLimit),
    ]
    // The server tells of a wait for a standby that was cancelled in a warning, and in nothing else.
    return Self.planning + [(name: "client_min_messages", value: "warning")]
      + limits.compactMap { name, limit in
        // For the server 0 means no limit.
        limit.map { (name: name, value: "\(max(1, $0.wholeMilliseconds))") }
      }
  }

  /// Settings for plans that stay right while tables grow.
  ///
  /// Every statement looks rows up by an index, so one plan serves all values. Made for a small
  /// table without these settings, it would scan the whole table.
  private static let planning = [
    (name: "plan_cache_mode", value: "force_generic_plan"), (name: "enable_seqscan", value: "off"),
    (name: "jit", value: "off"),
  ]
}
