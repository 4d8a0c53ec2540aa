package import PurchaseStorage
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The connections of a store on a database server, and the units of work on them.
///
/// A unit of work is retried at most three times after a conflict. A duplicate key is thrown at once. If the
/// connection is lost before the commit was sent, it is replaced once and the unit of work runs again; if it is lost
/// after that, the error has `mayHaveCommitted`, and nothing is repeated.
package final class ServerStore<Target: ServerTarget>: Sendable {
  private let pool: ConnectionPool<Target>
  private let reconnectLimit: Duration
  private let target: Target
  private let full = Locked<(moment: ContinuousClock.Instant, failure: StorageFailure)?>(nil)

  /// Creates a store that connects when it is first used.
  package init(on target: Target) {
    self.target = target
    pool = ConnectionPool(to: target)
    reconnectLimit = target.limits.reconnect
  }

  /// The number of units of work that wait for a connection.
  package var waiting: Int { pool.waiting }

  /// Waits for the units of work that have begun, and closes all connections; later ones are
  /// refused.
  package func close() async { await pool.close() }

  /// Applies the migrations that the database has not seen; of many processes, one does.
  ///
  /// If the database has seen all of them, nothing is locked unless tables are adopted or in other databases, and the
  /// rights to read and write rows are enough.
  ///
  /// Without a limit, that of other units of work holds for the attempts to reach the server.
  package func migrate(
    _ capabilities: Set<SQLCapability>, connectingWithin patience: Duration?
  ) async throws -> Set<SQLCapability> {
    let present = try await perform(.reading, connectingWithin: patience) {
      try await SQLMigrator.current($0, capabilities)
    }
    // Tables of the host's own may have come since.
    let isPlain = target.existingTables == .refuse && target.places == TablePlaces()
    if let present, isPlain { return present }
    let place = try await Migrators.line.take()
    defer { Migrators.line.giveBack(place) }
    return try await perform(.writing, within: .none, connectingWithin: patience) {
      [target] connection in
      try await connection.becomeMigrator()
      return try await SQLMigrator.migrate(
        connection, capabilities, target.existingTables, target.places, now: Date())
    }
  }

  /// Runs a unit of work on the records.
  ///
  /// - Throws: Errors of `body`; `StorageFailure`; `CancellationError` if the task is cancelled
  ///   while it waits.
  package func perform<Result: Sendable>(
    _ access: SQLRecords.Access, on capabilities: Set<SQLCapability>,
    _ body: UnitOfWorkBody<Result>
  ) async throws -> Result {
    try await perform(access) {
      try await body(SQLRecords($0, access: access, capabilities: capabilities).unit)
    }
  }

  /// Runs a unit of work on the connection itself.
  package func perform<Result: Sendable>(
    _ access: SQLRecords.Access, _ body: SQLConnectionBody<Result>
  ) async throws -> Result {
    try await perform(access, connectingWithin: nil, body)
  }

  /// The same with a time limit of its own for the attempts to reach the server.
  package func perform<Result: Sendable>(
    _ access: SQLRecords.Access, connectingWithin patience: Duration?,
    _ body: SQLConnectionBody<Result>
  ) async throws -> Result {
    try await perform(access, within: .configured, connectingWithin: patience) {
      try await body($0)
    }
  }

  private func perform<Result: Sendable>(
    _ access: SQLRecords.Access, within limit: StatementLimit,
    connectingWithin patience: Duration?,
    _ body: nonisolated(nonsending) @Sendable (ServerConnection<Target>) async throws -> Result
  ) async throws -> Result {
    if access == .writing, target.isStalled { throw StorageFailure(SQLFailure.stalled) }
    do {
      return try await pool.withConnection { [reconnectLimit] connection in
        try await connection.perform(
          access, within: limit, connectingWithin: patience ?? reconnectLimit, body)
      }
    } catch let failure as SQLFailure {
      throw noted(StorageFailure(failure), access)
    } catch let failure as StorageFailure {
      throw noted(failure, access)
    }
  }

  /// Remembers a failure to write for want of room, and returns it.
  private func noted(_ failure: StorageFailure, _ access: SQLRecords.Access) -> StorageFailure {
    if failure.isFull, access == .writing { full.withLock { $0 = (.now, failure) } }
    return failure
  }

  /// Returns the last failure of a unit of work for want of room, if it is not older than this.
  package func fullDisk(within time: Duration) -> StorageFailure? {
    full.withLock { full in
      full.flatMap { $0.moment.duration(to: .now) <= time ? $0.failure : nil }
    }
  }
}

extension SQLFailure {
  /// The refusal of a unit of work that writes while no commit is confirmed.
  static let stalled = SQLFailure.unavailable(
    mayHaveCommitted: false, detail: "no commit is confirmed at present")
}

/// The places of stores that wait for the lock of the migration, each of which holds a thread.
///
/// A process has 255 threads for such waits. If all of them waited, the holder of the lock would
/// have none.
private enum Migrators {
  static let line = WaitingLine(Array(0..<32))
}
