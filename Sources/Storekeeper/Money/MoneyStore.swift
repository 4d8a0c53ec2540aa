internal import CreditPolicy
public import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A store whose units of work keep the figures of the business, beside each change of a purchase or of credits.
///
/// ```swift
/// let shop = PurchaseContext(store: store, accounts: users).keepingMoneyFigures()
/// ```
///
/// Figures follow from what is recorded, whichever service records it: at the end of a unit of work the purchases that it
/// wrote are read, and what they count now takes the place of what they counted before. A host that wants no figures
/// uses the store itself, and pays nothing. One that wants them checks ``tryWriting()`` at its start, and counts once what
/// was recorded before (``MoneyFigures/recount()``).
public struct MoneyStore: PurchaseStore, StoreLayer {
  let base: any PurchaseStore

  public var capabilities: Set<StoreCapability> { base.capabilities }

  /// Creates a store on another one, which keeps figures.
  ///
  /// ``tryWriting()`` and a unit of work that changes a figure throw
  /// ``/PurchaseStorage/StorageFailure/capabilityMissing(_:)`` if the other store keeps none.
  public init(_ base: any PurchaseStore) { self.base = base }

  /// Reads a consistent state.
  public func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await base.read(body)
  }

  /// Reads and writes, and changes the figures that follow, all or nothing.
  public func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await base.write { unit in
      // The closure may run again, with nothing of the first time.
      let watch = MoneyWatch(unit)
      let result = try await body(watch.unit)
      try await watch.finish()
      return result
    }
  }

  /// Checks whether a write would be committed, and whether the other store keeps figures.
  ///
  /// - Throws: Also ``/PurchaseStorage/StorageFailure/capabilityMissing(_:)``.
  public func tryWriting() async throws {
    try await base.read { _ = try $0.money }
    try await base.tryWriting()
  }
}

extension PurchaseContext {
  /// Returns the context with a store that keeps the figures of the business; the services that are made of it change
  /// them with what they record.
  public func keepingMoneyFigures() -> PurchaseContext {
    adding { MoneyStore($0) }
  }
}

/// The watch over one unit of work: the purchases and ledgers that it changes.
///
/// It is used where the unit of work is.
private final class MoneyWatch: PurchaseWatch, LedgerWatch {
  private let base: UnitOfWork
  private var purchases: Set<ReceiptCursor> = []
  private var users: Set<AccountID> = []

  init(_ unit: UnitOfWork) { base = unit }

  /// The unit of work that is watched.
  var unit: UnitOfWork {
    var unit = base
    unit.common = CountedRecords(base: base.common, watch: self)
    unit.credits = base.credits.map { CountedCredits(base: $0, watch: self) }
    return unit
  }

  func note(_ ids: some Sequence<String>, _ environment: AppStoreEnvironment) {
    for id in ids {
      purchases.insert(ReceiptCursor(originalTransactionID: id, environment: environment))
    }
  }

  /// Notes also the purchase that had a transaction before, if Apple moved it to another one.
  func note(_ transactions: [PurchaseRecord], _ environment: AppStoreEnvironment) async throws {
    note(transactions.map(\.originalTransactionID), environment)
    note(
      try await base.purchases.originalTransactionIDs(
        ofTransactions: transactions.map(\.transactionID), environment: environment), environment)
  }

  func tell(_ transfer: PurchaseTransfer) {}

  func tell(_ entry: LedgerEntry) { users.insert(entry.booking.userID) }

  /// Counts what has changed, at the end of the unit of work.
  func finish() async throws {
    guard !(purchases.isEmpty && users.isEmpty) else { return }
    let counting = MoneyCounting(unit: base, hasLocked: true)
    // In the order of the sources, as every unit of work holds them.
    try await counting.count(users)
    try await counting.count(purchases)
  }
}

private struct CountedRecords: PurchaseRecords {
  let base: any PurchaseRecords
  let watch: MoneyWatch

  var purchases: any PurchaseRepository { WatchedPurchases(base: base.purchases, watch: watch) }
  var notifications: any NotificationRepository { base.notifications }
  var outbox: any OutboxRepository { base.outbox }
  var jobs: any JobRepository { base.jobs }
  var consumption: any ConsumptionRepository { base.consumption }
  var retention: any RetentionRepository { base.retention }
  var events: (any EventRepository)? { base.events }
  var acts: (any ActRepository)? { base.acts }
  var money: (any MoneyRepository)? { base.money }
  var erasure: (any ErasureRepository)? { base.erasure }

  func newestEvents() async throws -> [HostEvent: Date] { try await base.newestEvents() }

  func prepare(for questions: [UnitQuestion]) async throws {
    try await base.prepare(for: questions)
  }
}

private struct CountedCredits: CreditRecords {
  let base: any CreditRecords
  let watch: MoneyWatch

  var creditTransactions: any CreditTransactionRepository { base.creditTransactions }
  var creditLedger: any CreditLedgerRepository {
    WatchedLedger(base: base.creditLedger, watch: watch)
  }
  var starterClaims: any StarterClaimRepository { base.starterClaims }
  var creditNotifications: any CreditNotificationRepository { base.creditNotifications }
  var ledgerAudit: any LedgerAuditRepository { base.ledgerAudit }
}
