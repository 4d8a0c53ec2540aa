internal import SQLStorage
internal import StorekeeperLocks

/// The hosts of a connection string that names several, and the knowledge which of them leads.
final class HostList: Sendable {
  private let strings: [ConnectionString]
  private let configuration: PostgresStore.Configuration
  let watch: HostWatch
  /// Whether the database has the table of the marks, so that commits are marked.
  private let hasMarks = Locked(false)
  private let stalled = Locked(false)
  private let trial = CommitTrial()

  /// Creates the list of several hosts; nil for one.
  init?(_ string: ConnectionString, configuration: PostgresStore.Configuration) {
    strings = string.hosts
    guard strings.count > 1 else { return nil }
    self.configuration = configuration
    watch = HostWatch(strings.map { string in { Self.sighting(of: string) } })
  }

  var marksCommits: Bool { hasMarks.withLock { $0 } }

  func markCommits() { hasMarks.withLock { $0 = true } }

  /// Whether a commit was not confirmed in time, and none has been since.
  var isStalled: Bool { stalled.withLock { $0 } }

  /// Notes that a commit was not confirmed in time, and has one tried until it is.
  ///
  /// Each of those that nobody waits for any more keeps a session of the server busy, so there must not be more and
  /// more of them. The task is nobody's, because all writers wait for it.
  func noteStall() {
    let isFirst = stalled.withLock { isStalled in
      defer { isStalled = true }
      return !isStalled
    }
    guard isFirst else { return }
    Task.detached { [self] in
      while await !trial.passes(on: self) {
        guard (try? await Task.sleep(for: Lead.patience)) != nil else { break }
      }
      stalled.withLock { $0 = false }
    }
  }

  /// Connects to the host that leads, after others were asked for it if necessary.
  ///
  /// - Throws: `Unreached`; `SQLFailure` if the server refuses permanently; `CancellationError`.
  func open(within patience: Duration) async throws -> PostgresLink {
    let deadline = ContinuousClock.Instant.after(patience)
    while true {
      try Task.checkCancellation()
      do throws(ServerFailure) {
        return try await connectToLeader(within: ContinuousClock.now.duration(to: deadline))
      } catch {
        try Task.checkCancellation()
        guard error.isTransient else { throw error.reported }
        let pause = Duration.milliseconds(50)
        guard .now + pause < deadline else { throw Unreached(failure: error.reported) }
        try await Task.sleep(for: pause)
      }
    }
  }

  private func connectToLeader(
    within patience: Duration
  ) async throws(ServerFailure) -> PostgresLink {
    let leader = try await watch.leader(within: patience)
    let lead = Lead(hosts: self, leader: leader)
    do throws(ServerFailure) {
      let link = try PostgresLink.open(strings[leader.host])
      link.lead = lead
      link.silenceLimit = Lead.silence
      try link.checkWrites()
      try link.apply(configuration)
      link.silenceLimit = configuration.answerLimit
      link.commitLimit = configuration.commitLimit
      return link
    } catch {
      lead.doubt()
      throw error
    }
  }

  /// Looks at a host.
  private static func sighting(of string: ConnectionString) -> HostWatch.Sighting {
    let start = ContinuousClock.now
    do throws(ServerFailure) {
      let link = try PostgresLink.open(string)
      link.silenceLimit = Lead.silence
      try link.checkWrites()
      return .leads(timeline: try link.timeline())
    } catch {
      if error.isUnasked { return .unasked(error) }
      if error.isTransient, error.cause != .lost { return .full(error) }
      return start.duration(to: .now) < Lead.patience ? .refuses(error) : .silent(error)
    }
  }
}

/// A connection's host while it leads.
struct Lead: Sendable {
  let hosts: HostList
  let leader: HostWatch.Leader

  /// The time without an answer after which the host is looked at.
  static let patience = Duration.seconds(1)
  /// The time for which a host may be silent when it is looked at.
  static let silence = Duration.seconds(2)
  /// The time after which a connection that waits for an answer sees that its host leads no more.
  static let slice = Duration.milliseconds(100)

  var isOver: Bool { hosts.watch.isOver(leader) }

  func doubt() { hosts.watch.doubt(leader) }
}

/// A commit that waits as long as it takes, on a thread of its own.
private actor CommitTrial {
  private let executor = BlockingExecutor(label: "storekeeper.postgres.trial")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Whether it was confirmed before the connection was lost.
  func passes(on hosts: HostList) async -> Bool {
    do {
      let link = try await hosts.open(within: Lead.patience)
      (link.commitLimit, link.silenceLimit) = (nil, nil)
      try link.begin(.writing)
      _ = try link.query([SQLCall(.probeLog, [])])
      try link.commit()
      return true
    } catch {
      return false
    }
  }
}

extension PostgresLink {
  /// Throws unless the server takes writes.
  ///
  /// The server itself is asked: what it said when the connection began may be what a pooler remembers of an earlier one.
  fileprivate func checkWrites() throws(ServerFailure) {
    let rows = try query([SQLCall(.takesWrites, [])]).first
    guard case .integer(1)? = rows?.first?.first else { throw .lost("the host takes no writes") }
  }

  /// Returns the timeline of the server's log, which grows with each promotion; 0 where the server has none.
  fileprivate func timeline() throws(ServerFailure) -> Int {
    do throws(ServerFailure) {
      let rows = try query([SQLCall(.timeline, [])]).first
      guard case .integer(let number)? = rows?.first?.first else { return 0 }
      return Int(number)
    } catch {
      guard error.cause == .own else { throw error }
      return 0
    }
  }
}

extension SQLStatement {
  fileprivate static let takesWrites = SQLStatement(
    "takes_writes",
    """
    SELECT CASE WHEN pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'
      THEN 0 ELSE 1 END
    """)

  fileprivate static let timeline = SQLStatement(
    "timeline",
    "SELECT ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint")
}
