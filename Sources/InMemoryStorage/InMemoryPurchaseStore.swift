public import PurchaseStorage
internal import StorekeeperLocks

/// A store in memory: for the tests of a host, and for trying things out.
///
/// It keeps the laws of ``/PurchaseStorage/PurchaseStore`` except one: nothing outlives the process. Units of work
/// that write run one after the other, even while a closure waits; one that reads sees the state at its beginning and
/// never waits. A unit of work that writes copies every table that it changes, so its duration grows with the number
/// of rows.
///
/// ```swift
/// let store = InMemoryPurchaseStore()
/// try await store.write { try await $0.storedSubscriptions.save(subscription, asOf: asOf, now: now) }
/// ```
public final class InMemoryPurchaseStore: AttemptCountingStore {
  private let tables = Locked(MemoryTables())
  /// The turn of the one unit of work that may write.
  private let turns = WaitingLine<Void>([()])

  public var capabilities: Set<StoreCapability> { StoreCapability.all }

  /// Creates an empty store.
  public init() {}

  /// Reads the state as it is at the beginning; a call that writes throws
  /// ``/PurchaseStorage/StorageFailure/database(code:detail:)``.
  public func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await read(counting: UnitAttempts(), body)
  }

  /// As ``read(_:)``, noting the one attempt.
  package func read<Result: Sendable>(
    counting attempts: borrowing UnitAttempts, _ body: UnitOfWorkBody<Result>
  ) async throws -> Result {
    let unit = MemoryUnit(tables.withLock { $0 }, may: .read)
    attempts.begin()
    defer { unit.end() }
    return try await body(unit.shown)
  }

  /// Reads and writes, all or nothing, after all units of work that were begun earlier; the closure runs once.
  ///
  /// A unit of work that begins another one of the same store inside its closure waits for ever.
  ///
  /// - Throws: The closure's error, or `CancellationError` if cancelled before its turn.
  public func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try Task.checkCancellation()
    try await turns.take()
    defer { turns.giveBack(()) }
    let unit = MemoryUnit(tables.withLock { $0 }, may: .readAndWrite)
    defer { unit.end() }
    let result = try await body(unit.shown)
    let written = unit.contents
    tables.withLock { $0 = written }
    return result
  }
}
