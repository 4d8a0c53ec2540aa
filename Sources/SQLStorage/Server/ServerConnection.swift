internal import PurchaseStorage
internal import StorekeeperLocks

/// A connection of the pool: opened on first use, and again after a loss.
///
/// It is an actor on a thread of its own, because the client libraries of servers block. The pool lends it to one unit
/// of work at a time.
actor ServerConnection<Target: ServerTarget> {
  private let executor = BlockingExecutor(label: "storekeeper.\(Target.Link.dialect)")
  private let target: Target
  private let links: LinkCount
  private var link: Target.Link? {
    didSet { links.add((link == nil ? 0 : 1) - (oldValue == nil ? 0 : 1)) }
  }
  private var phase = UnitPhase.none

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Creates a connection that counts itself while it is open.
  init(to target: Target, in links: LinkCount) {
    self.target = target
    self.links = links
  }

  /// Connects unless connected.
  private func connect(within patience: Duration) async throws {
    guard link == nil else { return }
    link = try await target.open(within: patience)
  }

  /// Closes the connection; another unit of work would open it again.
  func disconnect() { link = nil }
}

/// The number of open connections to a server.
final class LinkCount: Sendable {
  private let count = Locked(0)

  var isNone: Bool { count.withLock { $0 == 0 } }

  func add(_ number: Int) { count.withLock { $0 += number } }
}

// MARK: - Statements

extension ServerConnection: SQLConnection {
  nonisolated var dialect: SQLDialect { Target.Link.dialect }

  func query(_ statement: SQLStatement, _ values: [SQLValue]) throws -> [SQLRow] {
    try query([SQLCall(statement, values)]).first ?? []
  }

  func query(_ calls: [SQLCall]) throws -> [[SQLRow]] {
    for call in calls { try Self.check(call.values) }
    return try use { link throws(ServerFailure) in try link.query(calls) }
  }

  func execute(_ statement: SQLStatement, _ values: [SQLValue]) throws -> Int {
    try Self.check(values)
    return try use { link throws(ServerFailure) in try link.execute(SQLCall(statement, values)) }
  }

  func execute(_ statement: SQLStatement, each rows: [[SQLValue]]) throws {
    for row in rows { try Self.check(row) }
    try use { link throws(ServerFailure) in try link.execute(statement, each: rows) }
  }

  /// Waits until no other process migrates.
  func becomeMigrator() throws {
    try use { link throws(ServerFailure) in try link.becomeMigrator() }
  }

  /// - Throws: `StorageFailure.invalidValue` for a text with a zero byte, which would be truncated
  ///   there.
  private static func check(_ values: [SQLValue]) throws {
    for case .text(let text) in values where text.hasZeroByte {
      throw StorageFailure.invalidValue(field: "text")
    }
  }

  /// Begins the transaction unless it has begun, and records a failure.
  private func use<Result>(
    _ body: (Target.Link) throws(ServerFailure) -> Result
  ) throws -> Result {
    guard let link else {
      throw SQLFailure.unavailable(mayHaveCommitted: false, detail: "not connected")
    }
    let access = try due()
    do throws(ServerFailure) {
      if let access { try link.begin(access) }
      phase = .open
      return try body(link)
    } catch {
      phase = .failed(error)
      throw error.reported
    }
  }

  /// Returns the access of the transaction, if its beginning is still due.
  private func due() throws -> SQLRecords.Access? {
    switch phase {
    case .due(let access): return access
    case .open: return nil
    case .failed(let failure): throw failure.reported
    case .none: throw SQLFailure.other(code: 0, detail: "no unit of work is open")
    }
  }
}

// MARK: - Units of work

extension ServerConnection {
  /// Runs a unit of work, and retries it when that may help.
  ///
  /// - Throws: Errors of the closure, `SQLFailure`, or `Unreached`.
  func perform<Result: Sendable>(
    _ access: SQLRecords.Access, within limit: StatementLimit, connectingWithin patience: Duration,
    _ body: nonisolated(nonsending) @Sendable (ServerConnection) async throws -> Result
  ) async throws -> Result {
    var retries = Retries()
    while true {
      try await connect(within: patience)
      link?.silenceLimit = limit == .none ? nil : target.limits.answer
      do {
        return try await attempt(access, body)
      } catch {
        // Mostly the row is held by a commit that is not confirmed, and will be as long as none is.
        if error.cause == .conflict, access == .writing, target.isStalled {
          throw SQLFailure.stalled
        }
        guard let pause = retries.pause(after: error.cause) else { throw error.reported }
        if pause > .zero { try await Task.sleep(for: pause) }
      }
    }
  }

  private func attempt<Result: Sendable>(
    _ access: SQLRecords.Access,
    _ body: nonisolated(nonsending) @Sendable (ServerConnection) async throws -> Result
  ) async throws(UnitFailure) -> Result {
    phase = .due(access)
    defer {
      phase = .none
      if link?.isSpent == true { link = nil }
    }
    do {
      let result = try await body(self)
      try await end(access)
      return result
    } catch {
      rollBack()
      throw UnitFailure(error, in: phase)
    }
  }

  /// Ends the transaction, before the result is returned.
  private func end(_ access: SQLRecords.Access) async throws {
    switch phase {
    case .none, .due: return
    case .failed(let failure): throw failure.reported
    case .open: break
    }
    switch access {
    case .reading: try? link?.endReading()
    case .writing: try await commit()
    }
  }

  /// Commits.
  ///
  /// If the connection is lost after this was sent, the outcome is asked for. As long as it is unknown, the
  /// unit of work is not repeated.
  private func commit() async throws {
    var isSent = false
    do throws(ServerFailure) {
      try link?.checkBeforeCommit()
      isSent = true
      try link?.commit()
    } catch {
      phase = .failed(error)
      guard isSent else { throw error.reported }
      guard error.cause == .lost, let commit = link?.sentCommit else { throw error.inCommit }
      giveUpLink()
      switch await outcome(of: commit) {
      case true?: return
      case false?: throw error.reported
      case nil: throw error.inCommit
      }
    }
  }

  /// Asks on another connection whether a commit took place; nil if that is not known in time.
  private func outcome(of commit: SentCommit) async -> Bool? {
    let deadline = ContinuousClock.now + target.limits.outcome
    while true {
      let left = ContinuousClock.now.duration(to: deadline)
      guard left > .zero else { return nil }
      do {
        try await connect(within: left)
        return try link?.tookPlace(commit, within: left)
      } catch let failure as ServerFailure where failure.cause != .own {
        if failure.cause == .lost { giveUpLink() }
      } catch {
        return nil
      }
      guard (try? await Task.sleep(for: .milliseconds(20))) != nil else { return nil }
    }
  }

  private func rollBack() {
    switch phase {
    case .none, .due: return
    case .failed(let failure) where failure.cause == .lost: giveUpLink()
    case .open, .failed:
      do throws(ServerFailure) { try link?.rollBack() } catch { giveUpLink() }
    }
  }

  private func giveUpLink() {
    link?.giveUp()
    link = nil
  }
}

/// The progress of the transaction of a unit of work.
enum UnitPhase {
  /// No unit of work is open.
  case none
  /// Nothing was sent yet; the transaction begins with the first statement.
  case due(SQLRecords.Access)
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
