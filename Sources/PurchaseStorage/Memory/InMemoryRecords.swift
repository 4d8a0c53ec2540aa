/// The records of one unit of work of an ``InMemoryPurchaseStore``.
public struct InMemoryRecords: SubscriptionRecords, CreditRecords, EntitlementRecords,
  OrderRecords
{
  let unit: MemoryUnit

  /// Transactions, renewals, verifications and receipts.
  public var purchases: any PurchaseRepository { MemoryPurchases(unit: unit) }
  /// Notifications.
  public var notifications: any NotificationRepository { MemoryNotifications(unit: unit) }
  /// Messages to deliver.
  public var outbox: any OutboxRepository { MemoryOutbox(unit: unit) }
  /// The places of jobs that can be resumed.
  public var jobs: any JobRepository { MemoryJobs(unit: unit) }
  /// The App Store's requests for consumption information.
  public var consumption: any ConsumptionRepository { MemoryConsumption(unit: unit) }
  /// The removal of old evidence.
  public var retention: any RetentionRepository { MemoryRetention(unit: unit) }
  /// Subscriptions and their owners.
  public var subscriptions: any SubscriptionRepository { MemorySubscriptions(unit: unit) }
  /// Memberships and the history of their changes.
  public var memberships: any MembershipRepository { MemoryMemberships(unit: unit) }
  /// The refresh job's leases and runs.
  public var refreshes: any RefreshRepository { MemoryRefreshes(unit: unit) }
  /// The transactions of credit products.
  public var creditTransactions: any CreditTransactionRepository {
    MemoryCreditTransactions(unit: unit)
  }
  /// The users' balances and ledgers.
  public var creditLedger: any CreditLedgerRepository { MemoryCreditLedger(unit: unit) }
  /// The identities that bought a starter pack.
  public var starterClaims: any StarterClaimRepository { MemoryStarterClaims(unit: unit) }
  /// The notifications that were considered for credits.
  public var creditNotifications: any CreditNotificationRepository {
    MemoryCreditNotifications(unit: unit)
  }
  /// The rows of an audit.
  public var ledgerAudit: any LedgerAuditRepository { MemoryLedgerAudit(unit: unit) }
  /// The users that own purchases.
  public var associations: any AssociationRepository { MemoryAssociations(unit: unit) }
  /// The products that users acquired.
  public var acquisitions: any AcquisitionRepository { MemoryAcquisitions(unit: unit) }
  /// The state of validations.
  public var validations: any ValidationRepository { MemoryValidations(unit: unit) }
  /// The levels that are sold.
  public var levels: any LevelRepository { MemoryLevels(unit: unit) }
  /// The subscription of each user.
  public var orderedSubscriptions: any OrderedSubscriptionRepository {
    MemoryOrderedSubscriptions(unit: unit)
  }
  /// The users that purchases belong to.
  public var subscriptionClaims: any SubscriptionClaimRepository {
    MemorySubscriptionClaims(unit: unit)
  }
  /// The messages that Google pushed.
  public var pushedMessages: any PushedMessageRepository { MemoryPushedMessages(unit: unit) }
}
