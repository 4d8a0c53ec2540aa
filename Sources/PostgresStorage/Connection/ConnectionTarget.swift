internal import JSONValues
internal import PurchaseStorage
internal import SQLStorage
internal import StorekeeperLocks

/// The server of a store's connections, with their settings.
struct ConnectionTarget: Sendable {
  let string: ConnectionString
  let configuration: PostgresStore.Configuration
  /// The number of open connections to it.
  let links = LinkCount()

  /// Connects; a server that is starting, full or unreachable is retried until the time is over.
  ///
  /// - Throws: `Unreached`; `SQLFailure` if the server refuses permanently; `CancellationError`.
  func open(within patience: Duration) async throws -> ServerLink {
    let deadline = ContinuousClock.now + patience
    var pause = Duration.milliseconds(10)
    while true {
      do throws(ConnectFailure) {
        return try connect()
      } catch {
        guard error.isTransient else { throw error.reported }
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

/// The number of open connections to a server.
final class LinkCount: Sendable {
  private let count = Locked(0)

  var isNone: Bool { count.withLock { $0 == 0 } }

  func add(_ number: Int) { count.withLock { $0 += number } }
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
    return Self.planning
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
