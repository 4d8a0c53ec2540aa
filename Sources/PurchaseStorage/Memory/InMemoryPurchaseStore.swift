internal import StorekeeperLocks

/// A store that keeps everything in memory: for the tests of a host, and for trying things out.
///
/// It obeys the laws of ``PurchaseStore`` but one: nothing outlives the process. Units of work that
/// write run one after the other, also while a closure waits; one that reads sees the state at its
/// beginning and never waits. A unit that writes copies every table that it changes, so the time for
/// one grows with the number of rows.
///
/// ```swift
/// let store = InMemoryPurchaseStore()
/// try await store.write { try await $0.subscriptions.save(subscription, asOf: asOf, now: now) }
/// ```
public final class InMemoryPurchaseStore: PurchaseStore {
  private let tables = Locked(MemoryTables())
  private let writers = SerialGate()

  /// An empty store.
  public init() {}

  /// Reads the state as it is at the beginning.
  ///
  /// - Parameter body: What reads; a call in it that writes throws ``StorageFailure/database(code:detail:)``.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  public func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result {
    let unit = MemoryUnit(tables.withLock { $0 }, may: .read)
    defer { unit.end() }
    return try await body(unit)
  }

  /// Reads and writes, all or nothing, when all units of work that came before have ended.
  ///
  /// A unit of work that begins another one of the same store inside its closure waits for ever.
  ///
  /// - Parameter body: What reads and writes; it runs once.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws, or `CancellationError` if cancelled while waiting.
  public func write<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result {
    try await writers.enter()
    defer { writers.leave() }
    let unit = MemoryUnit(tables.withLock { $0 }, may: .readAndWrite)
    defer { unit.end() }
    let result = try await body(unit)
    let written = unit.tables
    tables.withLock { $0 = written }
    return result
  }
}
