internal import StorekeeperLocks
internal import PurchaseStorage
internal import SQLStorage

/// The writing connection of a store, on a thread of its own.
///
/// Units of work run one after the other. Those that arrive during a commit share the next
/// transaction, so that one wait for the disk serves all of them.
actor SQLiteWriter {
  struct Turn: Sendable {}

  nonisolated let log: WriteAheadLog
  let configuration: SQLiteConfiguration
  nonisolated let line = WaitingLine([Turn()])
  /// The number of units of work that have begun or wait, and have not ended.
  nonisolated let asked = Locked(0)
  /// The open transaction, if it has members or a unit of work runs in it.
  var group: CommitGroup?
  /// Nil after a transaction that could not be rolled back; the next unit of work opens the file
  /// again.
  var connection: SQLiteConnection?
  /// The time since when another process has locked the file.
  var busySince: ContinuousClock.Instant?
  private let executor = BlockingExecutor(label: "storekeeper.sqlite.writer")
  nonisolated let path: String
  private var isClosed = false
  private var capabilities: Set<SQLCapability> = []

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Creates the writer of a file that is not open yet.
  init(path: String, configuration: SQLiteConfiguration) {
    self.path = path
    self.configuration = configuration
    log = WriteAheadLog(ofFile: path)
  }

  /// Opens the file, brings it to the present shape, and returns the capabilities that it has.
  func open(with capabilities: Set<SQLCapability>) async throws -> Set<SQLCapability> {
    let connection = try SQLiteConnection(path: path, configuration: configuration)
    self.capabilities = try await SQLiteFile.prepare(
      connection, with: capabilities, waiting: configuration.busyTimeout)
    use(connection)
    return self.capabilities
  }

  /// Returns the connection, opened again if it was lost.
  func connected() throws -> SQLiteConnection {
    if let connection { return connection }
    guard !isClosed else { throw StorageFailure.closed }
    return use(try SQLiteConnection(path: path, configuration: configuration))
  }

  /// Makes the writer itself wait for other processes, so that the wait blocks no thread and can be
  /// cancelled.
  @discardableResult
  private func use(_ connection: SQLiteConnection) -> SQLiteConnection {
    connection.wait(upTo: .zero)
    self.connection = connection
    return connection
  }

  /// Closes the file after the units of work that came before.
  func close() async throws {
    let turn = try await line.take()
    if let group { commit(group) }
    isClosed = true
    connection = nil
    line.giveBack(turn)
  }

  /// Empties the write-ahead log; the readers are held back meanwhile.
  func emptyLog() async throws {
    let turn = try await line.take(within: WriteAheadLog.patience)
    defer { line.giveBack(turn) }
    if let group { commit(group) }
    _ = try connected().value("PRAGMA wal_checkpoint(TRUNCATE)")
  }
}

// MARK: Units of work

extension SQLiteWriter {
  /// Runs a unit of work; after a conflict it is retried at most three times.
  func write<Result: Sendable>(_ body: SQLRecordsBody<Result>) async throws -> Result {
    let asked = ContinuousClock.now
    var lost: LostGroup?
    var conflicts = 0
    while true {
      do {
        return try await unitOfWork(asked: asked, alone: lost != nil, body)
      } catch let error as LostGroup {
        lost = error
      } catch let error where conflicts < 3 && error.isConflict {
        conflicts += 1
      } catch {
        throw lost?.mayHaveCommitted == true ? StorageFailure.outcomeUnknown : error
      }
    }
  }

  private func unitOfWork<Result: Sendable>(
    asked: ContinuousClock.Instant, alone isAlone: Bool,
    _ body: SQLRecordsBody<Result>
  ) async throws -> Result {
    let turn = try await line.take(within: configuration.waitLimit)
    let group: CommitGroup
    do {
      group = try await openGroup(asked: asked, alone: isAlone)
    } catch {
      passOn(turn)
      throw error
    }
    let hasOthers = group.members > 0
    let result: Result
    do {
      result = try await run(body, in: group)
    } catch {
      passOn(turn)
      if hasOthers { try await waitForOthers(group) }
      throw error
    }
    if isAlone { group.isDue = true }
    passOn(turn)
    try await outcome(of: group)
    return result
  }

  private func passOn(_ turn: Turn) {
    if let group, group.isDue { commit(group) }
    line.giveBack(turn)
  }

  private func run<Result: Sendable>(
    _ body: SQLRecordsBody<Result>,
    in group: CommitGroup
  ) async throws -> Result {
    let isFirst = group.members == 0
    let connection = try connected()
    do {
      connection.forgetFailure()
      if !isFirst { try connection.run(.savepoint) }
      let result = try await body(
        SQLRecords(connection, access: .writing, capabilities: capabilities))
      if let failure = connection.failure { throw StorageFailure(failure) }
      if !isFirst { try connection.run(.release) }
      group.members += 1
      return result
    } catch {
      undo(group, isFirst: isFirst, connection)
      throw error
    }
  }

  /// Rolls back the failed unit of work, and nothing else if that is possible.
  private func undo(_ group: CommitGroup, isFirst: Bool, _ connection: SQLiteConnection) {
    if !isFirst, connection.isInTransaction {
      do {
        try connection.run(.rollbackToSavepoint)
        try connection.run(.release)
        return
      } catch {
        // Then the whole transaction is rolled back, below.
      }
    }
    abandon(group, LostGroup())
  }
}

extension SQLStatement {
  fileprivate static let savepoint = SQLStatement("savepoint", "SAVEPOINT unit")
  fileprivate static let release = SQLStatement("release", "RELEASE unit")
  fileprivate static let rollbackToSavepoint = SQLStatement(
    "rollback_to_savepoint", "ROLLBACK TO unit")
}
