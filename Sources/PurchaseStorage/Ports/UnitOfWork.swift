public import ReceiptModels

/// The records that the closure of a ``PurchaseStore`` sees: those that all capabilities have in common, and
/// those of each capability that the database has.
///
/// ```swift
/// try await store.write { unit in
///   let rows = try await unit.memberships.find(account: account, appleSubscriptionIDs: [])
///   …
/// }
/// ```
///
/// A repository of a missing capability throws ``StorageFailure/capabilityMissing(_:)`` where it is asked for.
///
/// Every text is checked here, once for all stores. A value with a text that no row can have is refused with
/// ``StorageFailure/invalidValue(field:)`` before anything of the call is written. A query for such a text finds
/// nothing, unless it is for the key of a notification or the name of a job, which is refused too.
///
/// A unit of work belongs to the task and the thread of its closure. A function of a host's own that takes one
/// has to stay there, and declares so unless its module is compiled with `NonisolatedNonsendingByDefault`:
///
/// ```swift
/// nonisolated(nonsending) func recordGift(in unit: UnitOfWork) async throws { … }
/// ```
public struct UnitOfWork {
  public var common: any PurchaseRecords
  public var subscriptions: (any SubscriptionRecords)?
  public var credits: (any CreditRecords)?
  public var entitlements: (any EntitlementRecords)?
  public var orders: (any OrderRecords)?

  /// Creates a unit of work, as a store does for each closure; the records of a capability that the database lacks
  /// are nil.
  ///
  /// What the closure hands to the records is checked before the store's own records see it: they are called with
  /// texts of the documented lengths and characters only, and need no checks of them.
  public init(
    common: any PurchaseRecords, subscriptions: (any SubscriptionRecords)? = nil,
    credits: (any CreditRecords)? = nil, entitlements: (any EntitlementRecords)? = nil,
    orders: (any OrderRecords)? = nil
  ) {
    self.common = CheckedStore<any PurchaseRecords>(common)
    self.subscriptions = subscriptions.map { CheckedStore<any SubscriptionRecords>($0) }
    self.credits = credits.map { CheckedStore<any CreditRecords>($0) }
    self.entitlements = entitlements.map { CheckedStore<any EntitlementRecords>($0) }
    self.orders = orders.map { CheckedStore<any OrderRecords>($0) }
  }

  private func records<Records>(
    _ records: Records?, of capability: StoreCapability
  ) throws(StorageFailure) -> Records {
    guard let records else { throw .capabilityMissing(capability) }
    return records
  }
}

// MARK: Common

extension UnitOfWork {
  public var purchases: any PurchaseRepository { common.purchases }
  public var notifications: any NotificationRepository { common.notifications }
  public var outbox: any OutboxRepository { common.outbox }
  public var jobs: any JobRepository { common.jobs }
  public var consumption: any ConsumptionRepository { common.consumption }
  public var retention: any RetentionRepository { common.retention }
  public var events: any EventRepository {
    get throws(StorageFailure) { try records(common.events, of: "events") }
  }
  public var acts: any ActRepository {
    get throws(StorageFailure) { try records(common.acts, of: "acts") }
  }
  public var money: any MoneyRepository {
    get throws(StorageFailure) { try records(common.money, of: "money") }
  }
  public var erasure: any ErasureRepository {
    get throws(StorageFailure) { try records(common.erasure, of: "erasure") }
  }

  /// Asks questions in advance, in one exchange with a server where the store can; those about capabilities that the
  /// database lacks are left out.
  ///
  /// They lock rows in their order: orders and claims, associations, subscriptions, memberships.
  public func prepare(for questions: [UnitQuestion]) async throws {
    try await common.prepare(for: questions)
  }
}

// MARK: Subscriptions

extension UnitOfWork {
  public var storedSubscriptions: any SubscriptionRepository {
    get throws(StorageFailure) {
      try records(subscriptions, of: .subscriptions).storedSubscriptions
    }
  }
  public var memberships: any MembershipRepository {
    get throws(StorageFailure) { try records(subscriptions, of: .subscriptions).memberships }
  }
  public var refreshes: any RefreshRepository {
    get throws(StorageFailure) { try records(subscriptions, of: .subscriptions).refreshes }
  }

  /// Returns the rows of these subscriptions, then the memberships of an account or of one of them.
  ///
  /// - Throws: ``StorageFailure/capabilityMissing(_:)``.
  public func find(
    _ originalTransactionIDs: [String], account: Account?
  ) async throws -> LinkRows {
    try await records(subscriptions, of: .subscriptions)
      .find(originalTransactionIDs, account: account)
  }

  /// Returns the evidence of these subscriptions, then the memberships that carry one of `appleSubscriptionIDs`.
  ///
  /// - Throws: ``StorageFailure/capabilityMissing(_:)``.
  public func findEvidence(
    of originalTransactionIDs: [String], environment: AppStoreEnvironment,
    membershipsOf appleSubscriptionIDs: [String]
  ) async throws -> EvidenceRows {
    try await records(subscriptions, of: .subscriptions)
      .findEvidence(
        of: originalTransactionIDs, environment: environment,
        membershipsOf: appleSubscriptionIDs, purchases: purchases)
  }
}

// MARK: Credits

extension UnitOfWork {
  public var creditTransactions: any CreditTransactionRepository {
    get throws(StorageFailure) { try records(credits, of: .credits).creditTransactions }
  }
  public var creditLedger: any CreditLedgerRepository {
    get throws(StorageFailure) { try records(credits, of: .credits).creditLedger }
  }
  public var starterClaims: any StarterClaimRepository {
    get throws(StorageFailure) { try records(credits, of: .credits).starterClaims }
  }
  public var creditNotifications: any CreditNotificationRepository {
    get throws(StorageFailure) { try records(credits, of: .credits).creditNotifications }
  }
  public var ledgerAudit: any LedgerAuditRepository {
    get throws(StorageFailure) { try records(credits, of: .credits).ledgerAudit }
  }
}

// MARK: Entitlements

extension UnitOfWork {
  public var associations: any AssociationRepository {
    get throws(StorageFailure) { try records(entitlements, of: .entitlements).associations }
  }
  public var acquisitions: any AcquisitionRepository {
    get throws(StorageFailure) { try records(entitlements, of: .entitlements).acquisitions }
  }
  public var validations: any ValidationRepository {
    get throws(StorageFailure) { try records(entitlements, of: .entitlements).validations }
  }

  /// Returns everything that is stored about a user for some apps, each row once; acquired products are those of the
  /// first app.
  ///
  /// - Throws: ``StorageFailure/capabilityMissing(_:)``.
  public func holdings(
    of userID: AccountID, in bundleIDs: [String]
  ) async throws -> HoldingRows {
    try await records(entitlements, of: .entitlements)
      .holdings(of: userID, in: bundleIDs, purchases: purchases)
  }
}

// MARK: Orders

extension UnitOfWork {
  public var levels: any LevelRepository {
    get throws(StorageFailure) { try records(orders, of: .orders).levels }
  }
  public var orderedSubscriptions: any OrderedSubscriptionRepository {
    get throws(StorageFailure) { try records(orders, of: .orders).orderedSubscriptions }
  }
  public var subscriptionClaims: any SubscriptionClaimRepository {
    get throws(StorageFailure) { try records(orders, of: .orders).subscriptionClaims }
  }
  public var pushedMessages: any PushedMessageRepository {
    get throws(StorageFailure) { try records(orders, of: .orders).pushedMessages }
  }
}
