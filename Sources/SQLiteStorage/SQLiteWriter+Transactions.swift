internal import StorekeeperLocks
internal import PurchaseStorage
internal import SQLStorage

extension SQLiteWriter {
  /// The open transaction, or a new one.
  func openGroup(
    asked: ContinuousClock.Instant, alone isAlone: Bool
  ) async throws -> CommitGroup {
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
  /// Each unit of work for as long as the configuration says, from its own asking or from when that
  /// process was first in the way: so many that wait do so together.
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

  /// Takes back what all members have written, and tells them why.
  func abandon(_ group: CommitGroup, _ reason: any Error) {
    self.group = nil
    if let connection, connection.isInTransaction {
      do {
        try connection.run(.rollback)
      } catch {
        // A connection that cannot even roll back is of no use; closing it rolls back.
        self.connection = nil
      }
    }
    group.end(.failure(reason))
  }

  /// Keeps what all members have written, and tells them.
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

  /// Waits until the group has ended; its first member sees to that.
  func outcome(of group: CommitGroup) async throws {
    if group.outcome == nil, group.members == 1 { await gather(group) }
    await end(of: group)
    try group.outcome?.get()
  }

  /// Waits until those are kept whose rows a unit of work may have seen before it failed: what it tells
  /// its caller may come from them.
  ///
  /// - Throws: ``LostGroup`` if they are not kept; then it has seen what never was, and runs again.
  func waitForOthers(_ group: CommitGroup) async throws {
    await end(of: group)
    if case .failure = group.outcome { throw LostGroup() }
  }

  private func end(of group: CommitGroup) async {
    guard group.outcome == nil else { return }
    await withCheckedContinuation { group.add($0) }
  }

  /// Lets those in who came already, then commits, or has it done by the one whose turn it is.
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
  /// The same where it happened in a commit: where writing to the disk failed, a restart may find
  /// the transaction all the same.
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
