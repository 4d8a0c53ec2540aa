public import PurchaseStorage

/// The laws of a ``/PurchaseStorage/PurchaseStore``, to be run on any implementation.
///
/// With Swift Testing each law is a case of its own:
///
/// ```swift
/// @Test("keeps the laws of a store", arguments: SubscriptionStoreContract { MyStore() }.laws)
/// func law(_ law: ContractLaw) async throws { try await law.check() }
/// ```
///
/// The laws are those of the ports' documentation. What outlives a crash, what a server does when it
/// is restarted, and how fast anything is, they do not check.
public struct SubscriptionStoreContract: Sendable {
  private let open: @Sendable () async throws -> OpenedStore<any SubscriptionRecords>
  private let isShared: Bool

  /// Creates the contract of one kind of store.
  ///
  /// - Parameters:
  ///   - close: Closes a store that a law was given; called at the end of each law.
  ///   - reopen: Opens a second handle to the data of a store, as another process would; nil for stores
  ///     that cannot be shared, and then the laws on sharing are left out.
  ///   - makeStore: Creates an empty store at each call.
  public init<Store: PurchaseStore>(
    close: @escaping @Sendable (Store) async throws -> Void = { _ in },
    reopen: (@Sendable (Store) async throws -> Store)? = nil,
    makeStore: @escaping @Sendable () async throws -> Store
  ) where Store.Records: SubscriptionRecords {
    isShared = reopen != nil
    open = {
      OpenedStore(try await makeStore(), showing: { $0.forSubscriptions }, close, reopen)
    }
  }

  /// Creates the contract of stores of exactly the records of subscriptions.
  ///
  /// - Parameters:
  ///   - reopen: Opens a second handle to the data of a store; nil for stores that cannot be shared.
  ///   - makeStore: Creates an empty store at each call.
  public init(
    reopen: (@Sendable (any SubscriptionStore) async throws -> any SubscriptionStore)? = nil,
    makeStore: @escaping @Sendable () async throws -> any SubscriptionStore
  ) {
    isShared = reopen != nil
    open = { OpenedStore(try await makeStore(), showing: { $0 }, { _ in }, reopen) }
  }

  /// The laws, each with a store of its own.
  public var laws: [ContractLaw] {
    let open = open
    let single = Self.storeLaws.map { law in
      ContractLaw(law.name) { try await open().closing { try await law.check($0.store) } }
    }
    guard isShared else { return single }
    let shared = Self.sharedLaws.map { law in
      ContractLaw(law.name) {
        try await open().closing { one in
          guard let other = try await one.reopen?() else { return }
          try await other.closing { try await law.check(one.store, $0.store) }
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
}

/// A store that a law was given.
struct OpenedStore<Records>: Sendable {
  let store: any PurchaseStore<Records>
  let reopen: (@Sendable () async throws -> OpenedStore<Records>)?
  private let close: @Sendable () async throws -> Void

  init<Store: Sendable>(
    _ store: Store, showing records: @escaping @Sendable (Store) -> any PurchaseStore<Records>,
    _ close: @escaping @Sendable (Store) async throws -> Void,
    _ reopen: (@Sendable (Store) async throws -> Store)?
  ) {
    self.store = records(store)
    self.close = { try await close(store) }
    if let reopen {
      self.reopen = { OpenedStore(try await reopen(store), showing: records, close, nil) }
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

/// A law that needs one store.
struct StoreLaw: Sendable {
  let name: String
  let check: @Sendable (any SubscriptionStore) async throws -> Void

  init(_ name: String, _ check: @escaping @Sendable (any SubscriptionStore) async throws -> Void) {
    self.name = name
    self.check = check
  }
}

/// A law that needs two handles to the same data.
struct SharedStoreLaw: Sendable {
  let name: String
  let check: @Sendable (any SubscriptionStore, any SubscriptionStore) async throws -> Void

  init(
    _ name: String,
    _ check: @escaping @Sendable (any SubscriptionStore, any SubscriptionStore) async throws -> Void
  ) {
    self.name = name
    self.check = check
  }
}
