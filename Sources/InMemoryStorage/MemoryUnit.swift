internal import PurchaseStorage

/// One unit of work on a copy of the tables.
final class MemoryUnit {
  /// The access of a unit of work.
  enum Access {
    /// Reads only.
    case read
    /// Reads and writes.
    case readAndWrite
    /// None: the unit of work has ended.
    case nothing
  }

  /// The tables as the unit of work sees them.
  private(set) var tables: MemoryTables
  private var access: Access

  /// Creates a unit of work that begins with these tables.
  init(_ tables: MemoryTables, may access: Access) {
    self.tables = tables
    self.access = access
  }

  /// Refuses every later call.
  func end() { access = .nothing }

  /// Reads from the tables.
  func reading<Found>(_ find: (MemoryTables) throws -> Found) throws -> Found {
    guard access != .nothing else {
      throw StorageFailure.database(code: 0, detail: "the unit of work has ended")
    }
    return try find(tables)
  }

  /// Changes the tables, all or nothing.
  func writing<Changed>(_ change: (inout MemoryTables) throws -> Changed) throws -> Changed {
    guard access == .readAndWrite else {
      throw StorageFailure.database(code: 0, detail: "the unit of work may not write")
    }
    return try change(&tables)
  }

  /// Checks a row, and changes the tables with its stored form.
  func writing<Row: StoredRow, Changed>(
    _ row: Row, _ change: (inout MemoryTables, Row) throws -> Changed
  ) throws -> Changed {
    try row.checkTexts()
    return try writing { try change(&$0, row.stored) }
  }

  /// Checks rows, and changes the tables with their stored forms.
  func writing<Row: StoredRow, Changed>(
    _ rows: [Row], _ change: (inout MemoryTables, [Row]) throws -> Changed
  ) throws -> Changed {
    for row in rows { try row.checkTexts() }
    return try writing { try change(&$0, rows.map(\.stored)) }
  }
}

/// The records of one unit of work of an ``InMemoryPurchaseStore``.
struct MemoryRecords: PurchaseRecords, SubscriptionRecords, CreditRecords, EntitlementRecords,
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
  var creditTransactions: any CreditTransactionRepository { MemoryCreditTransactions(unit: unit) }
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
  var subscriptionClaims: any SubscriptionClaimRepository { MemorySubscriptionClaims(unit: unit) }
  var pushedMessages: any PushedMessageRepository { MemoryPushedMessages(unit: unit) }
}
