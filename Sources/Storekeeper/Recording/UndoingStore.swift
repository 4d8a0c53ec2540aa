internal import PurchaseStorage
internal import StorekeeperLocks

/// A store that undoes whatever is written, so that a decision is known and nothing kept.
struct UndoingStore: PurchaseStore {
  private let base: any PurchaseStore

  init(_ base: any PurchaseStore) { self.base = base }

  var capabilities: Set<StoreCapability> { base.capabilities }

  func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await base.read(body)
  }

  func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    let kept = Locked<Result?>(nil)
    do {
      try await base.write { unit in
        let result = try await body(unit)
        kept.withLock { $0 = result }
        throw Undone()
      }
    } catch is Undone {}
    guard let result = kept.withLock({ $0 }) else { throw StorageFailure.conflict }
    return result
  }

  private struct Undone: Error {}
}

extension SubscriptionService {
  /// Returns a service that decides as this one does, and keeps nothing.
  package func trial() throws(ServiceFailure) -> SubscriptionService {
    var context = context
    context.store = UndoingStore(context.store)
    return try SubscriptionService(
      context, products: products, appStore: appStore, options: options)
  }
}
