internal import PurchaseStorage

/// The laws of one kind of store, each of which gets an empty store of its own.
struct StoreSuite: Sendable {
  private let isShared: Bool
  private let open: @Sendable () async throws -> OpenedStore

  /// Creates a suite.
  ///
  /// `erase` is needed because `any PurchaseStore` does not conform to its own protocol.
  init<Store: Sendable>(
    erasing erase: @escaping @Sendable (Store) -> any PurchaseStore,
    close: @escaping @Sendable (Store) async throws -> Void = { _ in },
    reopen: (@Sendable (Store) async throws -> Store)? = nil,
    makeStore: @escaping @Sendable () async throws -> Store
  ) {
    isShared = reopen != nil
    open = { OpenedStore(try await makeStore(), erasing: erase, close, reopen) }
  }

  func laws(_ laws: [StoreLaw]) -> [ContractLaw] {
    laws.map { law in
      ContractLaw(law.name) { [open] in
        try await open().closing { try await law.check($0.store) }
      }
    }
  }

  /// Laws of two handles to the same data; none for stores that cannot be shared.
  func sharedLaws(_ laws: [Law<StoreHandles>]) -> [ContractLaw] {
    guard isShared else { return [] }
    return laws.map { law in
      ContractLaw(law.name) { [open] in
        try await open().closing { one in
          guard let other = try await one.reopen?() else { return }
          try await other.closing { try await law.check(StoreHandles(one.store, $0.store)) }
        }
      }
    }
  }
}

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
