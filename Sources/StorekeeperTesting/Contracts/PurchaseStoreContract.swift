public import PurchaseStorage

/// The laws of a ``/PurchaseStorage/PurchaseStore``, to be run on any implementation.
///
/// They are about units of work, the records that all capabilities have in common, and the records of the
/// capabilities that are named. With Swift Testing each law is a case of its own:
///
/// ```swift
/// @Test("keeps the laws of a store", arguments: PurchaseStoreContract([.credits]) { MyStore() }.laws)
/// func law(_ law: ContractLaw) async throws { try await law.check() }
/// ```
///
/// The laws are those in the ports' documentation. Crashes, restarts of a server and speed are not
/// checked.
public struct PurchaseStoreContract: Sendable {
  private let capabilities: Set<StoreCapability>
  private let suite: StoreSuite

  /// Creates the contract of one kind of store.
  ///
  /// - Parameters:
  ///   - capabilities: The capabilities whose laws are checked beside those that all have in common; the
  ///     store has them.
  ///   - close: Closes a store that a law was given; called at the end of each law.
  ///   - reopen: Opens a second handle to the data of a store, as another process would; nil for stores
  ///     that cannot be shared, and then the laws on sharing are left out.
  ///   - makeStore: Creates an empty store at each call.
  public init<Store: PurchaseStore>(
    _ capabilities: Set<StoreCapability> = [],
    close: @escaping @Sendable (Store) async throws -> Void = { _ in },
    reopen: (@Sendable (Store) async throws -> Store)? = nil,
    makeStore: @escaping @Sendable () async throws -> Store
  ) {
    self.capabilities = capabilities
    suite = StoreSuite(erasing: { $0 }, close: close, reopen: reopen, makeStore: makeStore)
  }

  /// Creates the contract of stores of any type.
  public init(
    _ capabilities: Set<StoreCapability> = [],
    reopen: (@Sendable (any PurchaseStore) async throws -> any PurchaseStore)? = nil,
    makeStore: @escaping @Sendable () async throws -> any PurchaseStore
  ) {
    self.capabilities = capabilities
    suite = StoreSuite(erasing: { $0 }, reopen: reopen, makeStore: makeStore)
  }

  /// The laws, each with a store of its own.
  public var laws: [ContractLaw] {
    suite.laws(Self.commonLaws) + suite.laws(CapabilityLaws.all(capabilities))
      + Self.ownLaws.filter { capabilities.contains($0.capability) }.flatMap {
        suite.laws($0.laws) + suite.sharedLaws($0.shared)
      }
  }

  /// Checks all laws, one after the other.
  ///
  /// - Throws: ``ContractViolation`` of the first law that is broken.
  public func run(fileID: String = #fileID, line: Int = #line) async throws {
    for law in laws { try await law.check(fileID: fileID, line: line) }
  }

  private static var commonLaws: [StoreLaw] {
    CommonUnitOfWorkLaws.all + EvidenceLaws.all + RenewalLaws.all + OutboxLaws.all
      + RetentionLaws.all + JobLaws.all + RevisionLaws.all + RevisionLaws.transfers
      + ConsumptionLaws.all + EventLaws.all + LineLaws.all + ActLaws.all + MoneyLaws.all
      + ErasureLaws.all
  }

  private static var ownLaws: [OwnLaws] {
    [
      OwnLaws(.subscriptions, subscriptionLaws, shared: SharedStoreLaws.all),
      OwnLaws(.credits, creditLaws, shared: SharedCreditLaws.all),
      OwnLaws(.entitlements, entitlementLaws, shared: SharedEntitlementLaws.all),
      OwnLaws(.orders, orderLaws, shared: SharedOrderLaws.all),
    ]
  }

  private static var subscriptionLaws: [StoreLaw] {
    UnitOfWorkLaws.all + IsolationLaws.isolation + IsolationLaws.conflicts
      + SubscriptionLaws.subscriptions + SubscriptionLaws.lists + StampLaws.all
      + MembershipLaws.all + CombinedLaws.all + UniqueKeyLaws.all + HistoryLaws.all
      + RefreshLaws.all + RetentionLaws.snapshots + ValueLaws.all + NewestEventLaws.subscriptions
      + ErasureLaws.subscriptions
  }

  private static var creditLaws: [StoreLaw] {
    CreditTransactionLaws.all + LedgerLaws.bookings + LedgerLaws.refusals + LedgerWalkLaws.all
      + LedgerRaceLaws.all + StarterClaimLaws.all + CreditNotificationLaws.all
      + CreditUnitLaws.all + CreditValueLaws.all + NewestEventLaws.credits + ErasureLaws.credits
  }

  private static var entitlementLaws: [StoreLaw] {
    AssociationLaws.all + AssociationRaceLaws.all + AcquisitionLaws.all + ValidationLaws.all
      + ValidationLeaseLaws.all + UnansweredLaws.all + HoldingLaws.all + EntitlementUnitLaws.all
      + EntitlementValueLaws.all + NewestEventLaws.entitlements + ErasureLaws.entitlements
  }

  private static var orderLaws: [StoreLaw] {
    LevelLaws.all + OrderedSubscriptionLaws.all + SubscriptionClaimLaws.all
      + PushedMessageLaws.all + OrderValueLaws.all + ErasureLaws.orders
  }
}

private struct OwnLaws {
  let capability: StoreCapability
  let laws: [StoreLaw]
  let shared: [Law<StoreHandles>]

  init(_ capability: StoreCapability, _ laws: [StoreLaw], shared: [Law<StoreHandles>]) {
    self.capability = capability
    self.laws = laws
    self.shared = shared
  }
}

/// The laws of what a store says about its capabilities.
private enum CapabilityLaws {
  static func all(_ capabilities: Set<StoreCapability>) -> [StoreLaw] {
    [
      Law("A store has the capabilities that it says, and its units of work show them") { store in
        try expect("the missing ones", capabilities.subtracting(store.capabilities), is: [])
        let said = store.capabilities.intersection(StoreCapability.all)
        try expect(
          "the capabilities of a unit that reads", try await store.read { shown($0) }, is: said)
        try expect(
          "the capabilities of a unit that writes", try await store.write { shown($0) }, is: said)
      }
    ]
  }

  private static func shown(_ unit: UnitOfWork) -> Set<StoreCapability> {
    var shown: Set<StoreCapability> = []
    if unit.subscriptions != nil { shown.insert(.subscriptions) }
    if unit.credits != nil { shown.insert(.credits) }
    if unit.entitlements != nil { shown.insert(.entitlements) }
    if unit.orders != nil { shown.insert(.orders) }
    return shown
  }
}
