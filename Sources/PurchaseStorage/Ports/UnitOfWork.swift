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
  /// The records that all capabilities have in common.
  public var common: any PurchaseRecords
  /// The records of subscriptions; nil if the database has none.
  public var subscriptions: (any SubscriptionRecords)?
  /// The records of credits; nil if the database has none.
  public var credits: (any CreditRecords)?
  /// The records of entitlements; nil if the database has none.
  public var entitlements: (any EntitlementRecords)?
  /// The records of orders; nil if the database has none.
  public var orders: (any OrderRecords)?

  /// Creates a unit of work, as a store does for each closure.
  ///
  /// What the closure hands to the records is checked before the store's own records see it: they are called with
  /// texts of the documented lengths and characters only, and need no checks of them.
  ///
  /// - Parameters:
  ///   - common: The records that all capabilities have in common.
  ///   - subscriptions: The records of subscriptions, if the database has them.
  ///   - credits: The records of credits, if the database has them.
  ///   - entitlements: The records of entitlements, if the database has them.
  ///   - orders: The records of orders, if the database has them.
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

  /// Returns the records of a capability.
  private func records<Records>(
    _ records: Records?, of capability: StoreCapability
  ) throws(StorageFailure) -> Records {
    guard let records else { throw .capabilityMissing(capability) }
    return records
  }
}

// MARK: Common

extension UnitOfWork {
  /// Transactions, renewals, verifications and receipts.
  public var purchases: any PurchaseRepository { common.purchases }
  /// Notifications, recorded once each, and those that could not be decoded.
  public var notifications: any NotificationRepository { common.notifications }
  /// Messages to deliver.
  public var outbox: any OutboxRepository { common.outbox }
  /// The places of jobs that can be resumed.
  public var jobs: any JobRepository { common.jobs }
  /// The App Store's requests for consumption information.
  public var consumption: any ConsumptionRepository { common.consumption }
  /// The removal of old evidence.
  public var retention: any RetentionRepository { common.retention }
}

// MARK: Subscriptions

extension UnitOfWork {
  /// Subscriptions and their owners.
  public var storedSubscriptions: any SubscriptionRepository {
    get throws(StorageFailure) {
      try records(subscriptions, of: .subscriptions).storedSubscriptions
    }
  }
  /// Memberships and the history of their changes.
  public var memberships: any MembershipRepository {
    get throws(StorageFailure) { try records(subscriptions, of: .subscriptions).memberships }
  }
  /// The refresh job's leases and runs.
  public var refreshes: any RefreshRepository {
    get throws(StorageFailure) { try records(subscriptions, of: .subscriptions).refreshes }
  }

  /// Returns the rows of these subscriptions, then the memberships of an account or of one of them.
  ///
  /// - Throws: ``StorageFailure/capabilityMissing(_:)``, or another failure of the store.
  public func find(
    _ originalTransactionIDs: [String], account: Account?
  ) async throws -> LinkRows {
    try await records(subscriptions, of: .subscriptions)
      .find(originalTransactionIDs, account: account)
  }

  /// Returns the evidence of these subscriptions, then the memberships that carry one of
  /// `appleSubscriptionIDs`.
  ///
  /// - Throws: ``StorageFailure/capabilityMissing(_:)``, or another failure of the store.
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
  /// The transactions of credit products.
  public var creditTransactions: any CreditTransactionRepository {
    get throws(StorageFailure) { try records(credits, of: .credits).creditTransactions }
  }
  /// The users' balances and ledgers.
  public var creditLedger: any CreditLedgerRepository {
    get throws(StorageFailure) { try records(credits, of: .credits).creditLedger }
  }
  /// The identities that bought a starter pack.
  public var starterClaims: any StarterClaimRepository {
    get throws(StorageFailure) { try records(credits, of: .credits).starterClaims }
  }
  /// The notifications that were considered for credits.
  public var creditNotifications: any CreditNotificationRepository {
    get throws(StorageFailure) { try records(credits, of: .credits).creditNotifications }
  }
  /// The rows of an audit.
  public var ledgerAudit: any LedgerAuditRepository {
    get throws(StorageFailure) { try records(credits, of: .credits).ledgerAudit }
  }
}

// MARK: Entitlements

extension UnitOfWork {
  /// The users that own purchases.
  public var associations: any AssociationRepository {
    get throws(StorageFailure) { try records(entitlements, of: .entitlements).associations }
  }
  /// The products that users acquired.
  public var acquisitions: any AcquisitionRepository {
    get throws(StorageFailure) { try records(entitlements, of: .entitlements).acquisitions }
  }
  /// The state of validations.
  public var validations: any ValidationRepository {
    get throws(StorageFailure) { try records(entitlements, of: .entitlements).validations }
  }

  /// Returns everything that is stored about a user for some apps, each row once; acquired products are
  /// those of the first app.
  ///
  /// - Throws: ``StorageFailure/capabilityMissing(_:)``, or another failure of the store.
  public func holdings(
    of userID: AccountID, in bundleIDs: [String]
  ) async throws -> HoldingRows {
    try await records(entitlements, of: .entitlements)
      .holdings(of: userID, in: bundleIDs, purchases: purchases)
  }
}

// MARK: Orders

extension UnitOfWork {
  /// The levels that are sold.
  public var levels: any LevelRepository {
    get throws(StorageFailure) { try records(orders, of: .orders).levels }
  }
  /// The subscription of each user.
  public var orderedSubscriptions: any OrderedSubscriptionRepository {
    get throws(StorageFailure) { try records(orders, of: .orders).orderedSubscriptions }
  }
  /// The users that purchases belong to.
  public var subscriptionClaims: any SubscriptionClaimRepository {
    get throws(StorageFailure) { try records(orders, of: .orders).subscriptionClaims }
  }
  /// The messages that Google pushed.
  public var pushedMessages: any PushedMessageRepository {
    get throws(StorageFailure) { try records(orders, of: .orders).pushedMessages }
  }
}
