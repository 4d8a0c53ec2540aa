import CreditPolicy
import Foundation
import PurchaseStorage
import ReceiptModels
import StorekeeperLocks
import StorekeeperTesting

/// The faults of a host with subscriptions and credits.
enum HostRecords {
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

  /// A store in which the places of some faults fail.
  static func store(_ base: any PurchaseStore, _ faults: Faults) -> any PurchaseStore {
    WrappedStore(base, capabilities: [.subscriptions, .credits]) { unit in
      var unit = unit
      unit.subscriptions = unit.subscriptions.map {
        StrickenSubscriptions(base: $0, faults: faults)
      }
      unit.credits = unit.credits.map { StrickenCredits(base: $0, faults: faults) }
      return unit
    }
  }
}

private struct StrickenSubscriptions: SubscriptionRecords {
  let base: any SubscriptionRecords
  let faults: HostRecords.Faults

  var storedSubscriptions: any SubscriptionRepository {
    let base = base.storedSubscriptions
    return faults.disarm(.subscriptions) ? FaultySubscriptions(base: base, fuse: Fuse(1)) : base
  }
  var memberships: any MembershipRepository { base.memberships }
  var refreshes: any RefreshRepository { base.refreshes }

  func find(_ ids: [String], account: Account?) async throws -> LinkRows {
    try await base.find(ids, account: account)
  }
  func findEvidence(
    of ids: [String], environment: AppStoreEnvironment, membershipsOf followers: [String],
    purchases: any PurchaseRepository
  ) async throws -> EvidenceRows {
    try await base.findEvidence(
      of: ids, environment: environment, membershipsOf: followers, purchases: purchases)
  }
}

private struct StrickenCredits: CreditRecords {
  let base: any CreditRecords
  let faults: HostRecords.Faults

  var creditTransactions: any CreditTransactionRepository {
    FaultyCreditTransactions(base: base.creditTransactions, faults: faults)
  }
  var creditLedger: any CreditLedgerRepository { base.creditLedger }
  var starterClaims: any StarterClaimRepository { base.starterClaims }
  var creditNotifications: any CreditNotificationRepository {
    FaultyCreditNotifications(base: base.creditNotifications, faults: faults)
  }
  var ledgerAudit: any LedgerAuditRepository { base.ledgerAudit }
}

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
