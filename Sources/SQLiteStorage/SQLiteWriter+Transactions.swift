internal import PurchaseStorage
internal import SQLStorage
internal import StorekeeperLocks

extension SQLiteWriter {
  /// Returns the open transaction, or begins one.
  func openGroup(asked: ContinuousClock.Instant, alone isAlone: Bool) async throws -> CommitGroup {
    try Task.checkCancellation()
    if isAlone, let group { commit(group) }
    if let group { return group }
    try await begin(asked: asked)
    let group = CommitGroup()
    self.group = group
    return group
  }

  /// Waits while another process writes.
  ///
  /// Each unit of work waits for the configured time, counted from its own start or from when the
  /// other process was first in the way, so that all of them wait together.
  private func begin(asked: ContinuousClock.Instant) async throws {
    let connection = try connected()
    var pause = Duration.milliseconds(1)
    while try isBusy(connection) {
      let since = busySince ?? .now
      busySince = since
      let waited = ContinuousClock.now - max(asked, since)
      guard waited < configuration.busyTimeout else { throw StillBusy() }
      try await Task.sleep(for: min(pause, configuration.busyTimeout - waited))
      pause = min(pause * 2, .milliseconds(50))
    }
    busySince = nil
  }

  /// Begins a transaction unless another process has one.
  private func isBusy(_ connection: SQLiteConnection) throws -> Bool {
    do {
      try connection.run(.beginImmediate)
      return false
    } catch SQLFailure.conflict {
      return true
    }
  }

  /// Rolls back the transaction, and reports the reason to all members.
  func abandon(_ group: CommitGroup, _ reason: any Error) {
    self.group = nil
    if let connection, connection.isInTransaction {
      do {
        try connection.run(.rollback)
      } catch {
        // The connection cannot even roll back; closing it does.
        self.connection = nil
      }
    }
    group.end(.failure(reason))
  }

  /// Commits the transaction, and reports the outcome to all members.
  func commit(_ group: CommitGroup) {
    do throws(SQLFailure) {
      try connection?.run(.commit)
      self.group = nil
      group.end(.success(()))
      log.noteCommit()
    } catch {
      let failure = error.inCommit
      let isLost = group.members > 1
      abandon(group, isLost ? LostGroup(mayHaveCommitted: failure.mayHaveCommitted) : failure)
    }
  }

  /// Waits until the group has ended; its first member brings that about.
  func outcome(of group: CommitGroup) async throws {
    if group.outcome == nil, group.members == 1 { await gather(group) }
    await end(of: group)
    try group.outcome?.get()
  }

  /// Waits for the commit of rows that a failed unit of work may have seen: its error may depend on
  /// them.
  ///
  /// - Throws: ``LostGroup`` if they are not committed; the unit of work has then seen rows that
  ///   never existed, and runs again.
  func waitForOthers(_ group: CommitGroup) async throws {
    await end(of: group)
    if case .failure = group.outcome { throw LostGroup() }
  }

  private func end(of group: CommitGroup) async {
    guard group.outcome == nil else { return }
    await withCheckedContinuation { group.add($0) }
  }

  /// Admits the units of work that wait already, then commits, or has the one whose turn it is do
  /// so.
  private func gather(_ group: CommitGroup) async {
    if asked.withLock({ $0 }) > group.members { await Task.yield() }
    guard group.outcome == nil else { return }
    if let turn = line.takeNow() {
      commit(group)
      line.giveBack(turn)
    } else {
      group.isDue = true
    }
  }
}

extension SQLFailure {
  /// The same failure during a commit: if a disk write failed, a restart may still find the
  /// transaction.
  fileprivate var inCommit: SQLFailure {
    guard case .other(let code, let detail) = self, code & 0xFF == 10 else { return self }
    return .unavailable(mayHaveCommitted: true, detail: detail)
  }

  fileprivate var mayHaveCommitted: Bool {
    if case .unavailable(mayHaveCommitted: true, _) = self { true } else { false }
  }
}

extension SQLStatement {
  fileprivate static let beginImmediate = SQLStatement("begin_immediate", "BEGIN IMMEDIATE")
  fileprivate static let rollback = SQLStatement("rollback", "ROLLBACK")
  fileprivate static let commit = SQLStatement("commit", "COMMIT")
}

/// Units of work that share a transaction; each is acknowledged only after the commit.
///
/// Each but the first has a savepoint, so that a failure rolls back nothing else.
final class CommitGroup {
  /// The number of units of work in it that have succeeded.
  var members = 0
  /// Whether to commit as soon as the running unit of work has ended.
  var isDue = false
  private(set) var outcome: Result<Void, any Error>?
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Resumes all members with the outcome.
  func end(_ outcome: Result<Void, any Error>) {
    self.outcome = outcome
    let waiters = waiters
    self.waiters = []
    for waiter in waiters { waiter.resume() }
  }

  /// Adds a member that waits for the outcome.
  func add(_ waiter: CheckedContinuation<Void, Never>) { waiters.append(waiter) }
}

/// The loss of a shared transaction through no fault of the unit of work, which runs again, alone.
struct LostGroup: Error {
  /// Whether the disk failed in the commit: a restart may still find the transaction, unless a
  /// later one overwrote it.
  var mayHaveCommitted = false
}

/// Another process locked the file for longer than the configured time.
struct StillBusy: Error {}

extension Error {
  /// Whether the unit of work should run again.
  var isConflict: Bool { self as? SQLFailure == .conflict || self as? StorageFailure == .conflict }
}

extension StorageFailure {
  static let closed = StorageFailure.unavailable(
    mayHaveCommitted: false, detail: "the store is closed")
  /// The configured time limit has expired.
  static let waitedTooLong = StorageFailure.unavailable(
    mayHaveCommitted: false, detail: "the turn did not come in time")
  /// A commit failed with an unknown outcome, and so did the retry.
  static let outcomeUnknown = StorageFailure.unavailable(
    mayHaveCommitted: true, detail: "a commit failed, and so did its repetition")
}
