public import PurchaseStorage

/// The laws of a ``/PurchaseStorage/PurchaseStore`` with entitlements, to be run on any implementation.
///
/// They contain those of ``PurchaseStoreContract``. With Swift Testing each law is a case of its own:
///
/// ```swift
/// @Test("keeps the laws of a store", arguments: EntitlementStoreContract { MyStore() }.laws)
/// func law(_ law: ContractLaw) async throws { try await law.check() }
/// ```
///
/// The laws are those in the ports' documentation. Crashes, restarts of a server and speed are not
/// checked.
public struct EntitlementStoreContract: Sendable {
  private let suite: StoreSuite<any EntitlementRecords>

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
  ) where Store.Records: EntitlementRecords {
    suite = StoreSuite(
      showing: { $0.forEntitlements }, close: close, reopen: reopen, makeStore: makeStore)
  }

  /// Creates the contract of stores of exactly the records of entitlements.
  ///
  /// - Parameters:
  ///   - reopen: Opens a second handle to the data of a store; nil for stores that cannot be shared.
  ///   - makeStore: Creates an empty store at each call.
  public init(
    reopen: (@Sendable (any EntitlementStore) async throws -> any EntitlementStore)? = nil,
    makeStore: @escaping @Sendable () async throws -> any EntitlementStore
  ) {
    suite = StoreSuite(showing: { $0 }, reopen: reopen, makeStore: makeStore)
  }

  /// The laws of all capabilities and of entitlements, each with a store of its own.
  public var laws: [ContractLaw] {
    suite.laws(PurchaseStoreContract.commonLaws) { $0.narrowed { $0 as any PurchaseRecords } }
      + suite.laws(Self.ownLaws) { $0 } + suite.sharedLaws(SharedEntitlementLaws.all)
  }

  /// Checks all laws, one after the other.
  ///
  /// - Throws: ``ContractViolation`` of the first law that is broken.
  public func run(fileID: String = #fileID, line: Int = #line) async throws {
    for law in laws { try await law.check(fileID: fileID, line: line) }
  }

  private static var ownLaws: [EntitlementLaw] {
    AssociationLaws.all + AssociationRaceLaws.all + AcquisitionLaws.all + ValidationLaws.all
      + ValidationLeaseLaws.all + UnansweredLaws.all + HoldingLaws.all + EntitlementUnitLaws.all
      + EntitlementValueLaws.all
  }
}
