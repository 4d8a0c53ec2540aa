internal import CStorekeeperPostgreSQL
internal import PurchaseStorage
internal import SQLStorage

/// The question to a server, when a store starts, for the promises on which the records rest.
///
/// It asks what a server says of itself; whether it keeps its word is what the contract suites test.
actor ServerCheck {
  private let executor = BlockingExecutor(label: "storekeeper.postgres.check")
  private let target: PostgresTarget

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  init(of target: PostgresTarget) { self.target = target }

  /// Asks for what a store needs before it migrates, after connecting within a time limit.
  ///
  /// - Throws: `StorageFailure.guaranteeMissing`, or another `StorageFailure`; `CancellationError`.
  func checkServer(connectingWithin patience: Duration) async throws {
    try await reported {
      let link = try await target.open(within: patience)
      guard try link.number(.version) ?? 0 >= Self.oldest else {
        throw StorageFailure.guaranteeMissing(.version)
      }
      try checkIsolation(of: link)
      try await checkSession(of: link, connectingWithin: patience)
    }
  }

  /// Asks for what a store needs of its tables.
  ///
  /// - Throws: `StorageFailure.guaranteeMissing`, or another `StorageFailure`; `CancellationError`.
  func checkTables(connectingWithin patience: Duration) async throws {
    try await reported {
      let link = try await target.open(within: patience)
      try checkLocks(of: link)
      guard try link.number(.invalidKeys) == 0 else {
        throw StorageFailure.guaranteeMissing(.uniqueKeys)
      }
    }
  }

  private func reported(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let unreached as Unreached {
      throw StorageFailure(unreached.failure)
    } catch let failure as ServerFailure {
      throw StorageFailure(failure.reported)
    } catch let failure as SQLFailure {
      // A statement cannot be known to a session that is new.
      guard failure.isCode(.duplicateStatement) else { throw StorageFailure(failure) }
      throw StorageFailure.guaranteeMissing(.ownSession)
    }
  }

  /// Version 13, the first with `pg_current_xact_id_if_assigned`.
  private static let oldest: Int64 = 130_000

  private func checkIsolation(of link: PostgresLink) throws {
    for (access, level) in [
      (SQLRecords.Access.writing, "read committed"), (.reading, "repeatable read"),
    ] {
      try link.begin(access)
      let rows = try link.query([SQLCall(.isolation, [])]).first
      try link.rollBack()
      guard rows == [[.text(level)]] else { throw StorageFailure.guaranteeMissing(.isolation) }
    }
  }

  private func checkLocks(of link: PostgresLink) throws {
    do throws(ServerFailure) {
      try link.begin(.writing)
      _ = try link.query([SQLCall(.lockRows, [])])
      try link.rollBack()
    } catch {
      guard error.cause == .own else { throw error }
      throw StorageFailure.guaranteeMissing(.rowLocks)
    }
  }

  /// Looks whether two connections have the same session of the server.
  ///
  /// A pooler makes up the process that it tells a client. Whether it keeps sessions apart shows when two clients
  /// ask by turns; it lends the session that was used last.
  private func checkSession(
    of link: PostgresLink, connectingWithin patience: Duration
  ) async throws {
    let told = Int64(unsafe PQbackendPID(link.handle))
    guard try link.number(.process) != told else { return }
    let other = try await target.open(within: patience)
    for _ in 0..<16 {
      guard try link.number(.process) != other.number(.process) else {
        throw StorageFailure.guaranteeMissing(.ownSession)
      }
    }
  }
}

extension PostgresLink {
  fileprivate func number(_ statement: SQLStatement) throws(ServerFailure) -> Int64? {
    let rows = try query([SQLCall(statement, [])]).first
    guard case .integer(let number)? = rows?.first?.first else { return nil }
    return number
  }
}

extension SQLFailure {
  fileprivate func isCode(_ state: SQLState) -> Bool {
    if case .other(state.number, _) = self { true } else { false }
  }
}

extension SQLStatement {
  fileprivate static let version = SQLStatement(
    "check_version", "SELECT current_setting('server_version_num')::bigint")

  fileprivate static let process = SQLStatement(
    "check_process", "SELECT pg_backend_pid()::bigint")

  fileprivate static let isolation = SQLStatement(
    "check_isolation", "SELECT current_setting('transaction_isolation')")

  fileprivate static let lockRows = SQLStatement(
    "check_locks",
    "SELECT number FROM storekeeper_migration ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED")

  /// Unique keys of our tables that are not enforced, as after an interrupted rebuild of an index.
  fileprivate static let invalidKeys = SQLStatement(
    "check_keys",
    """
    SELECT count(*) FROM pg_catalog.pg_index i
    JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND i.indisunique AND NOT (i.indisvalid AND i.indisready)
    """)
}
