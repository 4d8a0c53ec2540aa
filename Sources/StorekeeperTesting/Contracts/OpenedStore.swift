internal import PurchaseStorage

/// A store that a law was given.
struct OpenedStore: Sendable {
  let store: any PurchaseStore
  let reopen: (@Sendable () async throws -> OpenedStore)?
  private let close: @Sendable () async throws -> Void

  init<Store: Sendable>(
    _ store: Store, erasing erase: @escaping @Sendable (Store) -> any PurchaseStore,
    _ close: @escaping @Sendable (Store) async throws -> Void,
    _ reopen: (@Sendable (Store) async throws -> Store)?
  ) {
    self.store = erase(store)
    self.close = { try await close(store) }
    if let reopen {
      self.reopen = { OpenedStore(try await reopen(store), erasing: erase, close, nil) }
    } else {
      self.reopen = nil
    }
  }

  /// Runs a law, then closes the store.
  func closing(_ law: (Self) async throws -> Void) async throws {
    do {
      try await law(self)
    } catch {
      // The law's own error is the one to report, whatever closing throws.
      try? await close()
      throw error
    }
    try await close()
  }
}
