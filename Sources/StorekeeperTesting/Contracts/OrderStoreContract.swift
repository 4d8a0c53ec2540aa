public import PurchaseStorage

/// The laws of a ``/PurchaseStorage/PurchaseStore`` with orders, to be run on any implementation.
///
/// They contain those of ``PurchaseStoreContract``. With Swift Testing each law is a case of its own:
///
/// ```swift
/// @Test("keeps the laws of a store", arguments: OrderStoreContract { MyStore() }.laws)
/// func law(_ law: ContractLaw) async throws { try await law.check() }
/// ```
///
/// The laws are those in the ports' documentation. Crashes, restarts of a server and speed are not
/// checked.
public struct OrderStoreContract: Sendable {
  private let suite: StoreSuite<any OrderRecords>

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
  ) where Store.Records: OrderRecords {
    suite = StoreSuite(
      showing: { $0.forOrders }, close: close, reopen: reopen, makeStore: makeStore)
  }

  /// Creates the contract of stores of exactly the records of orders.
  ///
  /// - Parameters:
  ///   - reopen: Opens a second handle to the data of a store; nil for stores that cannot be shared.
  ///   - makeStore: Creates an empty store at each call.
  public init(
    reopen: (@Sendable (any OrderStore) async throws -> any OrderStore)? = nil,
    makeStore: @escaping @Sendable () async throws -> any OrderStore
  ) {
    suite = StoreSuite(showing: { $0 }, reopen: reopen, makeStore: makeStore)
  }

  /// The laws of all capabilities and of orders, each with a store of its own.
  public var laws: [ContractLaw] {
    suite.laws(PurchaseStoreContract.commonLaws) { $0.narrowed { $0 as any PurchaseRecords } }
      + suite.laws(Self.ownLaws) { $0 } + suite.sharedLaws(SharedOrderLaws.all)
  }

  /// Checks all laws, one after the other.
  ///
  /// - Throws: ``ContractViolation`` of the first law that is broken.
  public func run(fileID: String = #fileID, line: Int = #line) async throws {
    for law in laws { try await law.check(fileID: fileID, line: line) }
  }

  private static var ownLaws: [OrderLaw] {
    LevelLaws.all + OrderedSubscriptionLaws.all + SubscriptionClaimLaws.all
      + PushedMessageLaws.all + OrderValueLaws.all
  }
}
