public import PurchaseStorage

/// The laws of a ``/PurchaseStorage/PurchaseStore`` with credits, to be run on any implementation.
///
/// They contain those of ``PurchaseStoreContract``. With Swift Testing each law is a case of its own:
///
/// ```swift
/// @Test("keeps the laws of a store", arguments: CreditStoreContract { MyStore() }.laws)
/// func law(_ law: ContractLaw) async throws { try await law.check() }
/// ```
///
/// The laws are those in the ports' documentation. Crashes, restarts of a server and speed are not
/// checked.
public struct CreditStoreContract: Sendable {
  private let open: @Sendable () async throws -> OpenedStore<any CreditRecords>
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
  ) where Store.Records: CreditRecords {
    isShared = reopen != nil
    open = {
      OpenedStore(try await makeStore(), showing: { $0.forCredits }, close, reopen)
    }
  }

  /// Creates the contract of stores of exactly the records of credits.
  ///
  /// - Parameters:
  ///   - reopen: Opens a second handle to the data of a store; nil for stores that cannot be shared.
  ///   - makeStore: Creates an empty store at each call.
  public init(
    reopen: (@Sendable (any CreditStore) async throws -> any CreditStore)? = nil,
    makeStore: @escaping @Sendable () async throws -> any CreditStore
  ) {
    isShared = reopen != nil
    open = { OpenedStore(try await makeStore(), showing: { $0 }, { _ in }, reopen) }
  }

  /// The laws of all capabilities and of credits, each with a store of its own.
  public var laws: [ContractLaw] {
    let open = open
    let common = PurchaseStoreContract.commonLaws.map { law in
      ContractLaw(law.name) {
        try await open().closing { try await law.check($0.store.narrowed { $0 }) }
      }
    }
    let own = Self.ownLaws.map { law in
      ContractLaw(law.name) { try await open().closing { try await law.check($0.store) } }
    }
    guard isShared else { return common + own }
    let shared = SharedCreditLaws.all.map { law in
      ContractLaw(law.name) {
        try await open().closing { one in
          guard let other = try await one.reopen?() else { return }
          try await other.closing { try await law.check(CreditHandles(one.store, $0.store)) }
        }
      }
    }
    return common + own + shared
  }

  /// Checks all laws, one after the other.
  ///
  /// - Throws: ``ContractViolation`` of the first law that is broken.
  public func run(fileID: String = #fileID, line: Int = #line) async throws {
    for law in laws { try await law.check(fileID: fileID, line: line) }
  }

  private static var ownLaws: [CreditLaw] {
    CreditTransactionLaws.all + LedgerLaws.bookings + LedgerLaws.refusals + LedgerWalkLaws.all
      + LedgerRaceLaws.all + StarterClaimLaws.all + CreditNotificationLaws.all
      + CreditUnitLaws.all + CreditValueLaws.all
  }
}
