import CreditPolicy
import PurchaseStorage
import ReceiptModels
import StorekeeperLocks

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The records of a host with subscriptions and credits, in which one place can be made to fail.
struct HostRecords: SubscriptionRecords, CreditRecords {
  /// A place at which a unit of work can fail.
  enum Place: Hashable, Sendable { case subscriptions, creditNotifications, creditTransactions }

  /// The places that fail next, each once.
  final class Faults: Sendable {
    private let places = Locked<Set<Place>>([])

    func arm(_ place: Place) { places.withLock { _ = $0.insert(place) } }

    fileprivate func strike(_ place: Place) throws {
      if places.withLock({ $0.remove(place) }) != nil { throw BrokenConnection() }
    }
    fileprivate func disarm(_ place: Place) -> Bool {
      places.withLock { $0.remove(place) } != nil
    }
  }

  let ofSubscriptions: any SubscriptionRecords
  let ofCredits: any CreditRecords
  let faults: Faults

  var purchases: any PurchaseRepository { ofSubscriptions.purchases }
  var notifications: any NotificationRepository { ofSubscriptions.notifications }
  var outbox: any OutboxRepository { ofSubscriptions.outbox }
  var jobs: any JobRepository { ofSubscriptions.jobs }
  var consumption: any ConsumptionRepository { ofSubscriptions.consumption }
  var retention: any RetentionRepository { ofSubscriptions.retention }
  var subscriptions: any SubscriptionRepository {
    let base = ofSubscriptions.subscriptions
    return faults.disarm(.subscriptions) ? FaultySubscriptions(base: base, fuse: Fuse(1)) : base
  }
  var memberships: any MembershipRepository { ofSubscriptions.memberships }
  var refreshes: any RefreshRepository { ofSubscriptions.refreshes }
  var creditTransactions: any CreditTransactionRepository {
    FaultyCreditTransactions(base: ofCredits.creditTransactions, faults: faults)
  }
  var creditLedger: any CreditLedgerRepository { ofCredits.creditLedger }
  var starterClaims: any StarterClaimRepository { ofCredits.starterClaims }
  var creditNotifications: any CreditNotificationRepository {
    FaultyCreditNotifications(base: ofCredits.creditNotifications, faults: faults)
  }
  var ledgerAudit: any LedgerAuditRepository { ofCredits.ledgerAudit }

  func find(_ ids: [String], account: Account?) async throws -> LinkRows {
    try await ofSubscriptions.find(ids, account: account)
  }
  func findEvidence(
    of ids: [String], environment: AppStoreEnvironment, membershipsOf followers: [String]
  ) async throws -> EvidenceRows {
    try await ofSubscriptions.findEvidence(
      of: ids, environment: environment, membershipsOf: followers)
  }
}

/// A store of a host with subscriptions and credits.
typealias HostStore = PurchaseStore<HostRecords>

private struct FaultyCreditNotifications: CreditNotificationRepository {
  let base: any CreditNotificationRepository
  let faults: HostRecords.Faults

  func record(_ notification: CreditNotification) async throws -> Bool {
    try faults.strike(.creditNotifications)
    return try await base.record(notification)
  }
  func find(uuid: String) async throws -> CreditNotification? { try await base.find(uuid: uuid) }
}

private struct FaultyCreditTransactions: CreditTransactionRepository {
  let base: any CreditTransactionRepository
  let faults: HostRecords.Faults

  func find(
    transactionID: String, environment: AppStoreEnvironment
  ) async throws -> CreditTransaction? {
    try faults.strike(.creditTransactions)
    return try await base.find(transactionID: transactionID, environment: environment)
  }
  func insert(_ transaction: CreditTransaction, now: Date) async throws -> CreditTransaction? {
    try faults.strike(.creditTransactions)
    return try await base.insert(transaction, now: now)
  }
  func update(_ transaction: CreditTransaction, now: Date) async throws {
    try await base.update(transaction, now: now)
  }
  func transactions(
    of userID: AccountID, after id: Int?, limit: Int
  ) async throws -> [CreditTransaction] {
    try await base.transactions(of: userID, after: id, limit: limit)
  }
  func transactions(after id: Int?, limit: Int) async throws -> [CreditTransaction] {
    try await base.transactions(after: id, limit: limit)
  }
}
