internal import CreditPolicy
internal import LinkPolicy
internal import OrderPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// One unit of work on a copy of the tables, and every repository of it.
final class MemoryUnit {
  /// The access of a unit of work.
  enum Access {
    case read
    case readAndWrite
    /// None: the unit of work has ended.
    case nothing
  }

  /// The tables as the unit of work leaves them.
  private(set) var contents: MemoryTables
  private var access: Access

  init(_ contents: MemoryTables, may access: Access) {
    self.contents = contents
    self.access = access
  }

  /// Refuses every later call.
  func end() { access = .nothing }

  /// The tables, to read from.
  var tables: MemoryTables {
    get throws {
      guard access != .nothing else {
        throw StorageFailure.database(code: 0, detail: "the unit of work has ended")
      }
      return contents
    }
  }

  /// Changes the tables, all or nothing.
  func writing<Changed>(_ change: (inout MemoryTables) throws -> Changed) throws -> Changed {
    guard access == .readAndWrite else {
      throw StorageFailure.database(code: 0, detail: "the unit of work may not write")
    }
    return try change(&contents)
  }
}

extension MemoryUnit: PurchaseRecords, SubscriptionRecords, CreditRecords, EntitlementRecords,
  OrderRecords
{
  /// The unit of work that shows these records.
  var shown: UnitOfWork {
    UnitOfWork(
      common: self, subscriptions: self, credits: self, entitlements: self, orders: self)
  }

  var purchases: any PurchaseRepository { self }
  var notifications: any NotificationRepository { self }
  var outbox: any OutboxRepository { self }
  var jobs: any JobRepository { self }
  var consumption: any ConsumptionRepository { self }
  var retention: any RetentionRepository { self }
  var events: (any EventRepository)? { self }
  var acts: (any ActRepository)? { self }
  var money: (any MoneyRepository)? { self }
  var erasure: (any ErasureRepository)? { self }

  func newestEvents() throws -> [HostEvent: Date] {
    let tables = try tables
    var dates: [HostEvent: Date] = [:]
    func note(_ event: HostEvent, _ date: Date) { dates[event] = max(date, dates[event] ?? date) }
    for mail in tables.mails.page() where mail.value.message.kind == .link {
      note(.link, mail.value.createdDate)
    }
    for event in tables.events.page() {
      switch event.kind {
      case .snapshot(_, .link): note(.link, event.date)
      case .unlink: note(.unlink, event.date)
      default: break
      }
    }
    for row in tables.associations.page() { note(.association, row.associatedDate) }
    for row in tables.orderedSubscriptions.page() { note(.order, row.validatedDate) }
    for entry in tables.entries.page() where entry.booking.environment == nil {
      note(.booking, entry.createdDate)
    }
    return dates
  }

  var storedSubscriptions: any SubscriptionRepository { self }
  var memberships: any MembershipRepository { self }
  var refreshes: any RefreshRepository { self }
  var creditTransactions: any CreditTransactionRepository { self }
  var creditLedger: any CreditLedgerRepository { self }
  var starterClaims: any StarterClaimRepository { self }
  var creditNotifications: any CreditNotificationRepository { self }
  var ledgerAudit: any LedgerAuditRepository { self }
  var associations: any AssociationRepository { self }
  var acquisitions: any AcquisitionRepository { self }
  var validations: any ValidationRepository { self }
  var levels: any LevelRepository { self }
  var orderedSubscriptions: any OrderedSubscriptionRepository { self }
  var subscriptionClaims: any SubscriptionClaimRepository { self }
  var pushedMessages: any PushedMessageRepository { self }
}
