import PurchaseStorage

/// Records whose audit is read through the other repositories.
struct PlainRecords: CreditRecords {
  let base: any CreditRecords

  var purchases: any PurchaseRepository { base.purchases }
  var notifications: any NotificationRepository { base.notifications }
  var outbox: any OutboxRepository { base.outbox }
  var jobs: any JobRepository { base.jobs }
  var consumption: any ConsumptionRepository { base.consumption }
  var retention: any RetentionRepository { base.retention }
  var creditTransactions: any CreditTransactionRepository { base.creditTransactions }
  var creditLedger: any CreditLedgerRepository { base.creditLedger }
  var starterClaims: any StarterClaimRepository { base.starterClaims }
  var creditNotifications: any CreditNotificationRepository { base.creditNotifications }
}
