import Foundation
import InMemoryStorage
import PurchaseStorage
import ReceiptModels

/// A store that keeps what a unit of work wrote before it threw.
struct StoreWithoutRollback: PurchaseStore {
  let base = InMemoryPurchaseStore()
  var capabilities: Set<StoreCapability> { base.capabilities }

  func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await base.read(body)
  }

  func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await base.write { records in
      do {
        return Swift.Result<Result, any Error>.success(try await body(records))
      } catch {
        return .failure(error)
      }
    }.get()
  }
}

/// A store that keeps each write to a subscription at once, and looks each time at what is there now.
struct StoreWithoutIsolation: PurchaseStore {
  let base = InMemoryPurchaseStore()
  var capabilities: Set<StoreCapability> { base.capabilities }

  func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await base.read { records in
      try await body(
        BrokenRecords(records) { $0.storedSubscriptions = HastySubscriptions(store: base) }.unit)
    }
  }

  func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await read(body)
  }
}

/// Each call is a unit of work of its own.
private struct HastySubscriptions: SubscriptionRepository {
  let store: InMemoryPurchaseStore

  func find(_ ids: [String]) async throws -> [StoredSubscription] {
    try await store.read { try await $0.storedSubscriptions.find(ids) }
  }

  func save(_ subscription: Subscription, asOf: Date, now: Date) async throws {
    try await store.write {
      try await $0.storedSubscriptions.save(subscription, asOf: asOf, now: now)
    }
  }

  func setOwner(_ owner: AccountID?, of id: String, now: Date) async throws {
    // Long enough that others come between, however busy the machine is.
    try await Task.sleep(for: .milliseconds(200))
    try await store.write { try await $0.storedSubscriptions.setOwner(owner, of: id, now: now) }
  }

  func list(owner: AccountID, offset: Int, limit: Int) async throws -> SubscriptionPage {
    try await store.read {
      try await $0.storedSubscriptions.list(owner: owner, offset: offset, limit: limit)
    }
  }
}

/// Records of which one repository is another.
struct BrokenRecords: PurchaseRecords, SubscriptionRecords {
  let base: UnitOfWork
  var storedSubscriptions: any SubscriptionRepository
  var purchases: any PurchaseRepository
  var notifications: any NotificationRepository
  var memberships: any MembershipRepository
  var refreshes: any RefreshRepository
  var outbox: any OutboxRepository
  var retention: any RetentionRepository
  var jobs: any JobRepository
  var consumption: any ConsumptionRepository
  var events: (any EventRepository)?
  var erasure: (any ErasureRepository)?
  var areMembershipsForgotten = false

  init(_ base: UnitOfWork, _ change: (inout BrokenRecords) -> Void) throws {
    self.base = base
    storedSubscriptions = try base.storedSubscriptions
    purchases = base.purchases
    notifications = base.notifications
    memberships = try base.memberships
    refreshes = try base.refreshes
    outbox = base.outbox
    retention = base.retention
    jobs = base.jobs
    consumption = base.consumption
    events = base.common.events
    erasure = base.common.erasure
    change(&self)
  }

  /// The unit of work with these records.
  var unit: UnitOfWork {
    var unit = base
    (unit.common, unit.subscriptions) = (self, self)
    return unit
  }

  func newestEvents() async throws -> [HostEvent: Date] { try await base.common.newestEvents() }

  func find(_ ids: [String], account: Account?) async throws -> LinkRows {
    LinkRows(
      subscriptions: try await storedSubscriptions.find(ids),
      memberships: areMembershipsForgotten
        ? [] : try await memberships.find(account: account, appleSubscriptionIDs: ids))
  }

  func findEvidence(
    of ids: [String], environment: AppStoreEnvironment, membershipsOf followers: [String],
    purchases: any PurchaseRepository
  ) async throws -> EvidenceRows {
    EvidenceRows(
      transactions: try await purchases.transactions(of: ids, environment: environment),
      renewals: try await purchases.renewals(of: ids, environment: environment),
      memberships: areMembershipsForgotten
        ? [] : try await memberships.find(account: nil, appleSubscriptionIDs: followers))
  }
}
