/// A store of purchases: units of work that are committed as a whole or not at all.
///
/// Laws for implementations; the contract suites of StorekeeperTesting check them:
/// - A unit of work sees nothing of others that are still running, and everything of those that were
///   committed.
/// - When the closure of ``write(_:)`` returns, all its changes are committed, durably as far as the
///   store is durable, before `write` returns. When it throws, none of them are, and `write` throws the
///   same error.
/// - Two units of work that conflict run one after the other, or the store runs one of them again from
///   the start (at most three times, then ``StorageFailure/conflict``). A closure may therefore run more
///   than once, and has no effect except through its records.
/// - ``StorageFailure/duplicate(_:)`` is thrown immediately. The caller decides whether to run again with
///   fresh reads.
/// - The records are used only inside the closure, by one task at a time.
/// - A closure begins no other unit of work on the same store, neither to read nor to write: it might
///   wait for itself, and would see another state.
///
/// A store keeps the records of the capabilities that its host uses. Its `Records` conform to
/// ``PurchaseRecords`` and to the protocol of each of these capabilities, such as
/// ``SubscriptionRecords``; a service asks for the records that it needs, so the compiler reports a
/// store whose type lacks them, and the service is not made on a store whose database does
/// (``has(_:)``). Services hold a store of exactly those records (``narrowed(_:)``).
public protocol PurchaseStore<Records>: Sendable {
  /// The records that a unit of work sees.
  associatedtype Records

  /// Returns whether the database has a capability; by default it does.
  func has(_ capability: StoreCapability) -> Bool

  /// Reads a consistent state.
  func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (Records) async throws -> Result
  ) async throws -> Result

  /// Reads and writes, all or nothing.
  func write<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (Records) async throws -> Result
  ) async throws -> Result

  /// Checks whether a write would be committed, for example whether the disk has room, and leaves
  /// nothing behind.
  ///
  /// For a server that is asked whether it is ready. The default begins and ends a unit of work that
  /// writes nothing.
  func tryWriting() async throws
}

extension PurchaseStore {
  /// Returns true.
  public func has(_ capability: StoreCapability) -> Bool { true }

  /// Begins and ends a unit of work that writes nothing.
  public func tryWriting() async throws { try await write { _ in } }

  /// Returns this store with other records, usually fewer.
  ///
  /// ```swift
  /// let store: any PurchaseStore<any PurchaseRecords> = sqlite.narrowed { $0 }
  /// ```
  ///
  /// - Parameter records: Makes the other records of those of a unit of work.
  /// - Returns: A store whose units of work are this store's.
  public func narrowed<Others>(
    _ records: @escaping @Sendable (Records) -> Others
  ) -> any PurchaseStore<Others> {
    NarrowedStore(base: self, records: records)
  }
}

/// A store that shows other records of another store.
private struct NarrowedStore<Base: PurchaseStore, Records>: PurchaseStore {
  let base: Base
  let records: @Sendable (Base.Records) -> Records

  func has(_ capability: StoreCapability) -> Bool { base.has(capability) }

  func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (Records) async throws -> Result
  ) async throws -> Result {
    try await base.read { try await body(records($0)) }
  }

  func write<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (Records) async throws -> Result
  ) async throws -> Result {
    try await base.write { try await body(records($0)) }
  }

  func tryWriting() async throws { try await base.tryWriting() }
}
