internal import PurchaseStorage
internal import SQLStorage

/// The one connection of a store that writes, on a thread of its own.
///
/// Units of work run one after the other. Those that come while one is being committed share the next
/// transaction, so that one wait for the disk serves them all.
actor SQLiteWriter {
  private struct Turn: Sendable {}

  private let executor = BlockingExecutor(label: "storekeeper.sqlite.writer")
  private let line = WaitingLine([Turn()])
  private var connection: SQLiteConnection?
  /// The open transaction, if it has members or a unit of work runs in it.
  private var group: CommitGroup?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Opens the file and brings it to the present shape.
  func open(path: String, configuration: SQLiteConfiguration) async throws {
    let connection = try SQLiteConnection(path: path, configuration: configuration)
    try await SQLiteFile.prepare(connection)
    self.connection = connection
  }

  /// Closes the file after the units of work that came before.
  func close() async throws {
    let turn = try await line.take()
    if let group { commit(group) }
    connection = nil
    line.giveBack(turn)
  }

  /// Runs a unit of work; again when it conflicted, at most three times.
  func write<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result {
    var isAlone = false
    var conflicts = 0
    while true {
      do {
        return try await unitOfWork(alone: isAlone, body)
      } catch is LostGroup {
        isAlone = true
      } catch StorageFailure.conflict where conflicts < 3 {
        conflicts += 1
      }
    }
  }

  private func unitOfWork<Result: Sendable>(
    alone isAlone: Bool,
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result {
    let turn = try await line.take()
    let result: Result
    let group: CommitGroup
    do {
      let connection = try open()
      group = try begin(alone: isAlone, connection)
      result = try await run(body, in: group, connection)
    } catch {
      passOn(turn)
      throw error
    }
    if isAlone { group.isDue = true }
    passOn(turn)
    try await outcome(of: group)
    return result
  }

  private func open() throws -> SQLiteConnection {
    guard let connection else {
      throw StorageFailure.unavailable(mayHaveCommitted: false, detail: "the store is closed")
    }
    return connection
  }

  private func passOn(_ turn: Turn) {
    if let group, group.isDue { commit(group) }
    line.giveBack(turn)
  }
}

// MARK: Transactions

extension SQLiteWriter {
  private func begin(
    alone isAlone: Bool, _ connection: SQLiteConnection
  ) throws -> CommitGroup {
    try Task.checkCancellation()
    if isAlone, let group { commit(group) }
    if let group { return group }
    do {
      try connection.run(.beginImmediate)
    } catch SQLFailure.conflict {
      throw StillBusy()
    }
    let group = CommitGroup()
    self.group = group
    return group
  }

  private func run<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result,
    in group: CommitGroup, _ connection: SQLiteConnection
  ) async throws -> Result {
    let isFirst = group.members == 0
    do {
      connection.forgetFailure()
      if !isFirst { try connection.run(.savepoint) }
      let result = try await body(SQLRecords(connection, access: .writing))
      if let failure = connection.failure { throw StorageFailure(failure) }
      if !isFirst { try connection.run(.release) }
      group.members += 1
      return result
    } catch {
      undo(group, isFirst: isFirst, connection)
      throw error
    }
  }

  /// Takes back what the unit of work that failed has written, and nothing else if that is possible.
  private func undo(_ group: CommitGroup, isFirst: Bool, _ connection: SQLiteConnection) {
    if !isFirst, connection.isInTransaction {
      do {
        try connection.run(.rollbackToSavepoint)
        try connection.run(.release)
        return
      } catch {
        // Then all of the transaction is taken back, below.
      }
    }
    abandon(group, LostGroup())
  }

  private func abandon(_ group: CommitGroup, _ reason: any Error) {
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

  private func commit(_ group: CommitGroup) {
    do {
      let connection = try open()
      do throws(SQLFailure) {
        try connection.run(.commit)
      } catch {
        throw error.inCommit
      }
      self.group = nil
      group.end(.success(()))
    } catch {
      abandon(group, group.members > 1 ? LostGroup() : error)
    }
  }

  /// Waits until the group has ended; its first member sees to that.
  private func outcome(of group: CommitGroup) async throws {
    if group.outcome == nil, group.members == 1 { await gather(group) }
    if group.outcome == nil {
      await withCheckedContinuation { group.add($0) }
    }
    try group.outcome?.get()
  }

  /// Lets those in who came already, then commits, or has it done by the one whose turn it is.
  private func gather(_ group: CommitGroup) async {
    await Task.yield()
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
}

extension SQLStatement {
  fileprivate static let beginImmediate = SQLStatement("begin_immediate", "BEGIN IMMEDIATE")
  fileprivate static let savepoint = SQLStatement("savepoint", "SAVEPOINT unit")
  fileprivate static let release = SQLStatement("release", "RELEASE unit")
  fileprivate static let rollbackToSavepoint = SQLStatement(
    "rollback_to_savepoint", "ROLLBACK TO unit")
  fileprivate static let rollback = SQLStatement("rollback", "ROLLBACK")
  fileprivate static let commit = SQLStatement("commit", "COMMIT")
}
