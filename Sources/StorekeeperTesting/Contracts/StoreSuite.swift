internal import PurchaseStorage

/// The laws of one kind of store, each of which gets an empty store of its own.
struct StoreSuite<Records>: Sendable {
  private let isShared: Bool
  private let open: @Sendable () async throws -> OpenedStore<Records>

  /// Creates a suite.
  ///
  /// - Parameters:
  ///   - records: Shows the records of a store that the laws are about.
  ///   - close: Closes a store at the end of each law.
  ///   - reopen: Opens a second handle to the data of a store; nil for stores that cannot be shared.
  ///   - makeStore: Creates an empty store at each call.
  init<Store: Sendable>(
    showing records: @escaping @Sendable (Store) -> any PurchaseStore<Records>,
    close: @escaping @Sendable (Store) async throws -> Void = { _ in },
    reopen: (@Sendable (Store) async throws -> Store)? = nil,
    makeStore: @escaping @Sendable () async throws -> Store
  ) {
    isShared = reopen != nil
    open = { OpenedStore(try await makeStore(), showing: records, close, reopen) }
  }

  /// Laws of one store, or of something that is made of it.
  func laws<Subject>(
    _ laws: [Law<Subject>],
    of subject: @escaping @Sendable (any PurchaseStore<Records>) -> Subject
  ) -> [ContractLaw] {
    laws.map { law in
      ContractLaw(law.name) { [open] in
        try await open().closing { try await law.check(subject($0.store)) }
      }
    }
  }

  /// Laws of two handles to the same data; none for stores that cannot be shared.
  func sharedLaws(_ laws: [Law<StoreHandles<Records>>]) -> [ContractLaw] {
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
