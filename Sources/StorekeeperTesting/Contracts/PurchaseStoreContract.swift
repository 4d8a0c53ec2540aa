public import PurchaseStorage

/// The laws of a ``/PurchaseStorage/PurchaseStore`` that hold for any capability, to be run on any
/// implementation.
///
/// They are about units of work and the records of ``/PurchaseStorage/PurchaseRecords``. For a store with
/// subscriptions, run ``SubscriptionStoreContract``, which contains them.
///
/// ```swift
/// @Test("keeps the laws of a store", arguments: PurchaseStoreContract { MyStore() }.laws)
/// func law(_ law: ContractLaw) async throws { try await law.check() }
/// ```
///
/// Crashes, restarts of a server and speed are not checked.
public struct PurchaseStoreContract: Sendable {
  private let suite: StoreSuite<any PurchaseRecords>

  /// Creates the contract of one kind of store.
  ///
  /// - Parameters:
  ///   - close: Closes a store that a law was given; called at the end of each law.
  ///   - makeStore: Creates an empty store at each call.
  public init<Store: PurchaseStore>(
    close: @escaping @Sendable (Store) async throws -> Void = { _ in },
    makeStore: @escaping @Sendable () async throws -> Store
  ) where Store.Records: PurchaseRecords {
    suite = StoreSuite(showing: { $0.forPurchases }, close: close, makeStore: makeStore)
  }

  /// Creates a contract for a store of exactly the records that all capabilities have.
  ///
  /// - Parameters:
  ///   - close: Closes a store that a law was given; called at the end of each law.
  ///   - makeStore: Creates an empty store at each call.
  public init<Store: PurchaseStore<any PurchaseRecords>>(
    close: @escaping @Sendable (Store) async throws -> Void = { _ in },
    makeStore: @escaping @Sendable () async throws -> Store
  ) {
    suite = StoreSuite(showing: { $0 }, close: close, makeStore: makeStore)
  }

  /// The laws, each with a store of its own.
  public var laws: [ContractLaw] { suite.laws(Self.commonLaws) { $0 } }

  /// Checks all laws, one after the other.
  ///
  /// - Throws: ``ContractViolation`` of the first law that is broken.
  public func run(fileID: String = #fileID, line: Int = #line) async throws {
    for law in laws { try await law.check(fileID: fileID, line: line) }
  }

  static var commonLaws: [CommonLaw] {
    CommonUnitOfWorkLaws.all + EvidenceLaws.all + RenewalLaws.all + OutboxLaws.all
      + RetentionLaws.all
      + JobLaws.all + RevisionLaws.all + ConsumptionLaws.all + CommonValueLaws.all
  }
}
