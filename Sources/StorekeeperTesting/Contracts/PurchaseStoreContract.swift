public import PurchaseStorage

/// The laws of a ``/PurchaseStorage/PurchaseStore``, to be run on any implementation.
///
/// With Swift Testing each law is a case of its own:
///
/// ```swift
/// @Test("keeps the laws of a store", arguments: PurchaseStoreContract { MyStore() }.laws)
/// func law(_ law: ContractLaw) async throws { try await law.check() }
/// ```
///
/// The laws are those of the ports' documentation. What outlives a crash, what a server does when it
/// is restarted, and how fast anything is, they do not check.
public struct PurchaseStoreContract: Sendable {
  private let makeStore: @Sendable () async throws -> any PurchaseStore
  private let reopen: (@Sendable (any PurchaseStore) async throws -> any PurchaseStore)?
  private let close: @Sendable (any PurchaseStore) async throws -> Void

  /// The contract for one kind of store.
  ///
  /// - Parameters:
  ///   - close: Is called at the end of each law with every store that the law was given.
  ///   - reopen: Gives a second handle to what a store keeps, as another process would have; nil for
  ///     stores that cannot be shared, and then the laws on sharing are left out.
  ///   - makeStore: Gives an empty store at each call.
  public init(
    close: @escaping @Sendable (any PurchaseStore) async throws -> Void = { _ in },
    reopen: (@Sendable (any PurchaseStore) async throws -> any PurchaseStore)? = nil,
    makeStore: @escaping @Sendable () async throws -> any PurchaseStore
  ) {
    self.makeStore = makeStore
    self.reopen = reopen
    self.close = close
  }

  /// The laws, each with a store of its own.
  public var laws: [ContractLaw] {
    let single = Self.storeLaws.map { law in
      ContractLaw(law.name) { try await run { try await law.check($0) } }
    }
    guard let reopen else { return single }
    let shared = Self.sharedLaws.map { law in
      ContractLaw(law.name) {
        try await run { store in
          let other = try await reopen(store)
          try await closing(other) { try await law.check(store, $0) }
        }
      }
    }
    return single + shared
  }

  /// Checks all laws, one after the other.
  ///
  /// - Throws: ``ContractViolation`` of the first law that is broken.
  public func run(fileID: String = #fileID, line: Int = #line) async throws {
    for law in laws { try await law.check(fileID: fileID, line: line) }
  }

  private static var storeLaws: [StoreLaw] {
    StoreLaw.unitsOfWork + StoreLaw.isolation + StoreLaw.conflicts + StoreLaw.subscriptions
      + StoreLaw.lists + StoreLaw.evidence + StoreLaw.stamps + StoreLaw.memberships
      + StoreLaw.combined
      + StoreLaw.uniqueKeys + StoreLaw.history + StoreLaw.refreshes + StoreLaw.outbox
      + StoreLaw.retention + StoreLaw.values
      + StoreLaw.hostileValues
  }

  private static var sharedLaws: [SharedStoreLaw] { SharedStoreLaw.all }

  private func run(_ body: (any PurchaseStore) async throws -> Void) async throws {
    try await closing(try await makeStore(), body)
  }

  private func closing(
    _ store: any PurchaseStore, _ body: (any PurchaseStore) async throws -> Void
  ) async throws {
    do {
      try await body(store)
    } catch {
      // The law's own error is the one to report, whatever closing says.
      try? await close(store)
      throw error
    }
    try await close(store)
  }
}

/// A law that needs one store.
struct StoreLaw: Sendable {
  let name: String
  let check: @Sendable (any PurchaseStore) async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (any PurchaseStore) async throws -> Void) {
    self.name = name
    self.check = check
  }
}

/// A law that needs two handles to the same data.
struct SharedStoreLaw: Sendable {
  let name: String
  let check: @Sendable (any PurchaseStore, any PurchaseStore) async throws -> Void

  init(
    _ name: String,
    _ check: @escaping @Sendable (any PurchaseStore, any PurchaseStore) async throws -> Void
  ) {
    self.name = name
    self.check = check
  }
}
