public import PurchaseStorage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A store whose units of work write, beside each change, the event that tells the host of it.
///
/// ```swift
/// let shop = PurchaseContext(store: store, accounts: users).recordingEvents()
/// ```
///
/// Events follow from what is recorded, whichever service records it: the records as a unit of work found them are
/// compared with those that it leaves, before it ends. So none is lost, and none tells what was rolled back. Two units of
/// work that record the same charge at the same time tell it once. A host that wants no events uses the store itself,
/// and pays nothing. One that wants them checks ``tryWriting()`` at its start: a store that keeps none is noticed there.
public struct EventStore: PurchaseStore, StoreLayer {
  let base: any PurchaseStore
  private let now: @Sendable () -> Date

  public var capabilities: Set<StoreCapability> { base.capabilities }

  /// Creates a store on another one, which keeps events.
  ///
  /// ``tryWriting()`` and a unit of work that has an event to write throw
  /// ``/PurchaseStorage/StorageFailure/capabilityMissing(_:)`` if the other store keeps none.
  public init(_ base: any PurchaseStore, now: @escaping @Sendable () -> Date = { Date() }) {
    self.base = base
    self.now = now
  }

  /// Reads a consistent state.
  public func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await base.read(body)
  }

  /// Reads and writes, and writes the events of what has changed, all or nothing.
  public func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    let now = now
    return try await base.write { unit in
      // The closure may run again, with nothing of the first time.
      let watch = EventWatch(unit, now: now())
      let result = try await body(watch.unit)
      try await watch.finish()
      return result
    }
  }

  /// Checks whether a write would be committed, and whether the other store keeps events.
  ///
  /// - Throws: Also ``/PurchaseStorage/StorageFailure/capabilityMissing(_:)``.
  public func tryWriting() async throws {
    try await base.read { _ = try $0.events }
    try await base.tryWriting()
  }
}

extension PurchaseContext {
  /// Returns the context with a store that writes events; the services that are made of it tell what they change.
  public func recordingEvents() -> PurchaseContext {
    adding { EventStore($0, now: now) }
  }
}
