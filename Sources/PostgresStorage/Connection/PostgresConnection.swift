internal import PurchaseStorage
internal import SQLStorage
internal import StorekeeperLocks

/// A connection of the pool: opened on first use, and again after a loss.
///
/// It is an actor on a thread of its own, because libpq blocks. The pool lends it to one unit of
/// work at a time.
actor PostgresConnection {
  private let executor = BlockingExecutor(label: "storekeeper.postgres")
  private let target: ConnectionTarget
  private var link: ServerLink?
  private var phase = UnitPhase.none

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  init(to target: ConnectionTarget) { self.target = target }

  /// Connects unless connected.
  private func connect(within patience: Duration) async throws {
    guard link == nil else { return }
    link = try await target.open(within: patience)
  }

  /// Closes the connection; another unit of work would open it again.
  func disconnect() { link = nil }
}

// MARK: - Statements

extension PostgresConnection: SQLConnection {
  nonisolated var dialect: SQLDialect { .postgres }

  func query(_ statement: SQLStatement, _ values: [SQLValue]) throws -> [SQLRow] {
    try query([SQLCall(statement, values)]).first ?? []
  }

  /// Runs all statements in one round trip; each has a snapshot of its own.
  func query(_ calls: [SQLCall]) throws -> [[SQLRow]] { try answers(to: calls) { $0.rows } }

  func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int {
    try answers(to: [SQLCall(statement, values)]) { $0.rowCount }.first ?? 0
  }

  /// Sends rows together with the next statement or the commit, so that many writes cost one round
  /// trip.
  func execute(_ statement: SQLStatement, each rows: [[SQLValue]]) throws {
    let rows = try rows.map { try ParameterTexts($0) }
    try use { link throws(ServerFailure) in
      for row in rows { try link.send(statement, row) }
    }
  }

  private func answers<Value>(
    to calls: [SQLCall], _ read: (borrowing ServerReply) -> Value
  ) throws -> [Value] {
    let calls = try calls.map { ($0.statement, try ParameterTexts($0.values)) }
    return try use { link throws(ServerFailure) in
      for (statement, values) in calls { try link.send(statement, values) }
      return try link.finish(reading: calls.count, read)
    }
  }

  /// Begins the transaction unless it has begun, and records a failure.
  private func use<Result>(_ body: (ServerLink) throws(ServerFailure) -> Result) throws -> Result {
    guard let link else {
      throw SQLFailure.unavailable(mayHaveCommitted: false, detail: "not connected")
    }
    let begin = try beginning()
    do throws(ServerFailure) {
      if let begin { try link.send(begin, .none) }
      phase = .open
      return try body(link)
    } catch {
      phase = .failed(error)
      throw error.reported
    }
  }

  /// Returns the beginning of the transaction, if it is still due.
  private func beginning() throws -> SQLStatement? {
    switch phase {
    case .due(let begin): return begin
    case .open: return nil
    case .failed(let failure): throw failure.reported
    case .none: throw SQLFailure.other(code: 0, detail: "no unit of work is open")
    }
  }
}

// MARK: - Units of work

extension PostgresConnection {
  /// Runs a unit of work, and retries it when that may help.
  ///
  /// - Throws: Errors of the closure, `SQLFailure`, or `Unreached`.
  func perform<Result: Sendable>(
    _ access: SQLRecords.Access, within limit: StatementLimit, connectingWithin patience: Duration,
    _ body: SQLConnectionBody<Result>
  ) async throws -> Result {
    var retries = Retries()
    while true {
      try await connect(within: patience)
      link?.silenceLimit = limit == .none ? nil : target.configuration.answerLimit
      do {
        return try await attempt(access, body)
      } catch {
        guard let pause = retries.pause(after: error.cause) else { throw error.reported }
        if pause > .zero { try await Task.sleep(for: pause) }
      }
    }
  }

  private func attempt<Result: Sendable>(
    _ access: SQLRecords.Access,
    _ body: SQLConnectionBody<Result>
  ) async throws(UnitFailure) -> Result {
    phase = .due(begin: .begin(access))
    defer { phase = .none }
    do {
      let result = try await body(self)
      try end(access)
      return result
    } catch {
      rollBack()
      throw UnitFailure(error, in: phase)
    }
  }

  /// Ends the transaction, before the result is returned.
  private func end(_ access: SQLRecords.Access) throws {
    switch phase {
    case .none, .due: return
    case .failed(let failure): throw failure.reported
    case .open: break
    }
    switch access {
    case .reading: try? link?.sendAndForget(.commit)
    case .writing: try commit()
    }
  }

  private func commit() throws {
    do throws(ServerFailure) {
      try link?.readEarly()
    } catch {
      phase = .failed(error)
      throw error.reported
    }
    try sendCommit()
  }

  /// Commits.
  ///
  /// If the connection is lost after this was sent, the outcome is unknown, so the unit of work is
  /// not repeated.
  private func sendCommit() throws {
    do throws(ServerFailure) {
      try link?.send(.commit, .none)
      guard try link?.finish(reading: 1, { $0.command }) == ["COMMIT"] else {
        throw .refused(.transactionRollback, detail: "the server rolled back", constraint: nil)
      }
    } catch {
      phase = .failed(error)
      guard case .lost(let detail) = error else { throw error.reported }
      throw SQLFailure.unavailable(mayHaveCommitted: true, detail: detail)
    }
  }

  private func rollBack() {
    switch phase {
    case .none, .due: return
    case .failed(let failure) where failure.cause == .lost: link = nil
    case .open, .failed:
      do throws(ServerFailure) { try link?.sendAndForget(.rollback) } catch { link = nil }
    }
  }
}

/// The progress of the transaction of a unit of work.
enum UnitPhase {
  /// No unit of work is open.
  case none
  /// Nothing was sent yet; the beginning is sent with the first statement.
  case due(begin: SQLStatement)
  case open
  /// The server accepts nothing but the end of the transaction.
  case failed(ServerFailure)
}

/// The time that the statements of a unit of work may take.
enum StatementLimit {
  case configured
  /// As long as they need, as in migrations.
  case none
}

/// The retries of a unit of work: one after a lost connection, three after conflicts.
///
/// Source: `Documentation/rules/linking-rules.md`, section 2.
struct Retries {
  private static let backOff = BackOff(
    first: .milliseconds(10), longest: .milliseconds(30), jitter: 0.1...1)

  private var conflicts = 0
  private var losses = 0

  /// Returns the pause before the next attempt, or nil for no further attempt.
  mutating func pause(after cause: UnitFailure.Cause) -> Duration? {
    switch cause {
    case .own: return nil
    case .lost:
      losses += 1
      return losses <= 1 ? .zero : nil
    case .conflict:
      conflicts += 1
      guard conflicts <= 3 else { return nil }
      return Self.backOff.pause(after: conflicts, chance: .random(in: 0...1))
    }
  }
}
