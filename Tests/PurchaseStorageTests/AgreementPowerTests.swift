import PurchaseStorage
import StorekeeperTesting
import Testing

@Suite("The law of agreement can fail")
struct AgreementPowerTests {
  @Test("each fault of a store is found", arguments: AgreementFault.allCases)
  func fault(_ fault: AgreementFault) async throws {
    let contract = AgreementContract { FaultyStore(fault: fault) }
    await #expect(throws: ContractViolation.self) {
      try await contract.run(histories: 300, seed: 1)
    }
  }
}

/// A thing that a store can do wrong, so that two of its capabilities differ, or all three from the truth.
enum AgreementFault: CaseIterable {
  case refundsAreForgotten, olderCopiesWin, ordersAreNotUpdated
}

/// A store in memory with one fault.
private struct FaultyStore: PurchaseStore {
  let fault: AgreementFault
  private let base = InMemoryPurchaseStore()

  init(fault: AgreementFault) { self.fault = fault }

  func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (FaultyRecords) async throws -> Result
  ) async throws -> Result {
    try await base.read { try await body(FaultyRecords(base: $0, fault: fault)) }
  }

  func write<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (FaultyRecords) async throws -> Result
  ) async throws -> Result {
    try await base.write { try await body(FaultyRecords(base: $0, fault: fault)) }
  }
}

/// Records of all capabilities with one fault.
struct FaultyRecords: SubscriptionRecords, EntitlementRecords, OrderRecords {
  let base: InMemoryRecords
  let fault: AgreementFault

  var purchases: any PurchaseRepository {
    var purchases = BrokenPurchases(base: base.purchases)
    purchases.isGuardMissing = fault == .olderCopiesWin
    purchases.areRefundsForgotten = fault == .refundsAreForgotten
    return purchases
  }
  var orderedSubscriptions: any OrderedSubscriptionRepository {
    fault == .ordersAreNotUpdated
      ? BrokenOrders(base: base, fault: .savesAreForgotten).orderedSubscriptions
      : base.orderedSubscriptions
  }
  var notifications: any NotificationRepository { base.notifications }
  var outbox: any OutboxRepository { base.outbox }
  var jobs: any JobRepository { base.jobs }
  var consumption: any ConsumptionRepository { base.consumption }
  var retention: any RetentionRepository { base.retention }
  var subscriptions: any SubscriptionRepository { base.subscriptions }
  var memberships: any MembershipRepository { base.memberships }
  var refreshes: any RefreshRepository { base.refreshes }
  var associations: any AssociationRepository { base.associations }
  var acquisitions: any AcquisitionRepository { base.acquisitions }
  var validations: any ValidationRepository { base.validations }
  var levels: any LevelRepository { base.levels }
  var subscriptionClaims: any SubscriptionClaimRepository { base.subscriptionClaims }
  var pushedMessages: any PushedMessageRepository { base.pushedMessages }
}
