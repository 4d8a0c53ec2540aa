internal import PurchaseStorage
internal import SQLStorage

/// Where connections lead, and how they are made.
struct ConnectionTarget: Sendable {
  let string: ConnectionString
  let configuration: PostgresStore.Configuration
  /// The open connections of all that lead here.
  let links = LinkCount()

  /// Connects; a server that is starting, full or out of reach is tried again for a while.
  ///
  /// - Throws: `Unreached`; `SQLFailure` where a server refuses for good; `CancellationError`.
  func open(within patience: Duration) async throws -> ServerLink {
    let deadline = ContinuousClock.now + patience
    var pause = Duration.milliseconds(10)
    while true {
      do throws(ConnectFailure) {
        return try connect()
      } catch {
        guard error.isPassing else { throw error.reported }
        guard .now + pause < deadline else { throw Unreached(failure: error.reported) }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(500))
      }
    }
  }

  private func connect() throws(ConnectFailure) -> ServerLink {
    let link = try ServerLink.open(string)
    link.count = links
    link.silenceLimit = configuration.answerLimit
    do throws(ServerFailure) {
      for setting in configuration.settings {
        try link.send(.setting, ParameterTexts(texts: [setting.name, setting.value]))
      }
      if configuration.waitsForDisk { try link.send(.waitForDisk, .none) }
      try link.finish()
      return link
    } catch {
      throw ConnectFailure(error)
    }
  }
}

extension SQLStatement {
  fileprivate static let setting = SQLStatement("setting", "SELECT set_config($1, $2, false)")

  /// A stronger setting is left as it is.
  fileprivate static let waitForDisk = SQLStatement(
    "wait_for_disk",
    """
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') <> 'remote_apply'
    """)
}

extension PostgresStore.Configuration {
  /// How long the server may be silent while an answer is due; nil for as long as it likes.
  var answerLimit: Duration? {
    guard let statementLimit, let silenceLimit else { return nil }
    return statementLimit + silenceLimit
  }

  /// Settings of the session; what is not limited here stays as the server or the connection string
  /// has it.
  fileprivate var settings: [(name: String, value: String)] {
    let limits = [
      ("lock_timeout", lockLimit), ("statement_timeout", statementLimit),
      ("idle_in_transaction_session_timeout", idleLimit),
    ]
    return Self.planning
      + limits.compactMap { name, limit in
        // For the server 0 is no limit.
        limit.map { (name: name, value: "\(max(1, $0.wholeMilliseconds))") }
      }
  }

  /// All statements look rows up by an index.
  ///
  /// So one plan, made once, is right for all values, and it
  /// stays right while tables grow; made for a small table it would read all of it.
  private static let planning = [
    (name: "plan_cache_mode", value: "force_generic_plan"), (name: "enable_seqscan", value: "off"),
    (name: "jit", value: "off"),
  ]
}
