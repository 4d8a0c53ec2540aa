internal import PurchaseStorage

/// The records of one unit of work of an ``InMemoryPurchaseStore``.
struct InMemoryRecords: PurchaseRecords, SubscriptionRecords, CreditRecords, EntitlementRecords,
  OrderRecords
{
  let unit: MemoryUnit

  /// The unit of work that shows these records.
  var all: UnitOfWork {
    UnitOfWork(
      common: self, subscriptions: self, credits: self, entitlements: self, orders: self)
  }

  var purchases: any PurchaseRepository { MemoryPurchases(unit: unit) }
  var notifications: any NotificationRepository { MemoryNotifications(unit: unit) }
  var outbox: any OutboxRepository { MemoryOutbox(unit: unit) }
  var jobs: any JobRepository { MemoryJobs(unit: unit) }
  var consumption: any ConsumptionRepository { MemoryConsumption(unit: unit) }
  var retention: any RetentionRepository { MemoryRetention(unit: unit) }
  var storedSubscriptions: any SubscriptionRepository { MemorySubscriptions(unit: unit) }
  var memberships: any MembershipRepository { MemoryMemberships(unit: unit) }
  var refreshes: any RefreshRepository { MemoryRefreshes(unit: unit) }
  var creditTransactions: any CreditTransactionRepository {
    MemoryCreditTransactions(unit: unit)
  }
  var creditLedger: any CreditLedgerRepository { MemoryCreditLedger(unit: unit) }
  var starterClaims: any StarterClaimRepository { MemoryStarterClaims(unit: unit) }
  var creditNotifications: any CreditNotificationRepository {
    MemoryCreditNotifications(unit: unit)
  }
  var ledgerAudit: any LedgerAuditRepository { MemoryLedgerAudit(unit: unit) }
  var associations: any AssociationRepository { MemoryAssociations(unit: unit) }
  var acquisitions: any AcquisitionRepository { MemoryAcquisitions(unit: unit) }
  var validations: any ValidationRepository { MemoryValidations(unit: unit) }
  var levels: any LevelRepository { MemoryLevels(unit: unit) }
  var orderedSubscriptions: any OrderedSubscriptionRepository {
    MemoryOrderedSubscriptions(unit: unit)
  }
  var subscriptionClaims: any SubscriptionClaimRepository {
    MemorySubscriptionClaims(unit: unit)
  }
  var pushedMessages: any PushedMessageRepository { MemoryPushedMessages(unit: unit) }
}
