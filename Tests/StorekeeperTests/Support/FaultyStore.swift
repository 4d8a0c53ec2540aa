import Foundation
import LinkPolicy
import StorekeeperLocks
import PurchaseStorage
import ReceiptModels
import StorekeeperTesting

/// The failure of a ``faultyStore(base:failing:)``.
struct BrokenConnection: Error {}

/// A store whose connection breaks at the n-th write of a unit of work, counted from 1.
func faultyStore(base: any PurchaseStore, failing: Int) -> any PurchaseStore {
  WrappedStore(base, capabilities: [.subscriptions]) { unit in
    let fuse = Fuse(failing)
    var unit = unit
    unit.common = FaultyRecords(base: unit.common, fuse: fuse)
    unit.subscriptions = unit.subscriptions.map { FaultySubscriptionRecords(base: $0, fuse: fuse) }
    return unit
  }
}

/// Counts writes.
final class Fuse {
  private var left: Int
  init(_ count: Int) { left = count }

  func burn() throws {
    left -= 1
    if left == 0 { throw BrokenConnection() }
  }
}

struct FaultyRecords: PurchaseRecords {
  let base: any PurchaseRecords
  let fuse: Fuse

  var purchases: any PurchaseRepository { FaultyPurchases(base: base.purchases, fuse: fuse) }
  var notifications: any NotificationRepository {
    FaultyNotifications(base: base.notifications, fuse: fuse)
  }
  var outbox: any OutboxRepository { FaultyOutbox(base: base.outbox, fuse: fuse) }
  var retention: any RetentionRepository { base.retention }
  var jobs: any JobRepository { base.jobs }
  var acts: (any ActRepository)? { base.acts }
  var events: (any EventRepository)? { base.events.map { FaultyEvents(base: $0, fuse: fuse) } }
  var erasure: (any ErasureRepository)? { base.erasure.map { FaultyErasure(base: $0, fuse: fuse) } }
  var consumption: any ConsumptionRepository {
    FaultyConsumption(base: base.consumption, fuse: fuse)
  }
  func newestEvents() async throws -> [HostEvent: Date] { try await base.newestEvents() }
}

struct FaultySubscriptionRecords: SubscriptionRecords {
  let base: any SubscriptionRecords
  let fuse: Fuse

  var storedSubscriptions: any SubscriptionRepository {
    FaultySubscriptions(base: base.storedSubscriptions, fuse: fuse)
  }
  var memberships: any MembershipRepository {
    FaultyMemberships(base: base.memberships, fuse: fuse)
  }
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

struct FaultySubscriptions: SubscriptionRepository {
  let base: any SubscriptionRepository
  let fuse: Fuse

  func find(_ ids: [String]) async throws -> [StoredSubscription] { try await base.find(ids) }
  func find(
    _ ids: [String], inserting new: [Subscription], asOf: Date, now: Date
  ) async throws -> [StoredSubscription] {
    try fuse.burn()
    return try await base.find(ids, inserting: new, asOf: asOf, now: now)
  }
  func save(_ subscription: Subscription, asOf: Date, now: Date) async throws {
    try fuse.burn()
    try await base.save(subscription, asOf: asOf, now: now)
  }
  func setOwner(_ owner: AccountID?, of id: String, now: Date) async throws {
    try fuse.burn()
    try await base.setOwner(owner, of: id, now: now)
  }
  func list(owner: AccountID, offset: Int, limit: Int) async throws -> SubscriptionPage {
    try await base.list(owner: owner, offset: offset, limit: limit)
  }
}

struct FaultyPurchases: PurchaseRepository {
  let base: any PurchaseRepository
  let fuse: Fuse

  func record(
    transactions: [PurchaseRecord], environment: AppStoreEnvironment, now: Date
  ) async throws {
    try fuse.burn()
    try await base.record(transactions: transactions, environment: environment, now: now)
  }
  func transactions(
    of ids: [String], environment: AppStoreEnvironment
  ) async throws -> [PurchaseRecord] {
    try await base.transactions(of: ids, environment: environment)
  }
  func originalTransactionIDs(
    ofTransactions ids: [String], environment: AppStoreEnvironment
  ) async throws -> [String] {
    try await base.originalTransactionIDs(ofTransactions: ids, environment: environment)
  }
  func replace(
    renewals: [RenewalRecord], of id: String, environment: AppStoreEnvironment, asOf: Date,
    now: Date
  ) async throws {
    try fuse.burn()
    try await base.replace(
      renewals: renewals, of: id, environment: environment, asOf: asOf, now: now)
  }
  func record(
    renewals: [RenewalRecord], environment: AppStoreEnvironment, now: Date
  ) async throws {
    try fuse.burn()
    try await base.record(renewals: renewals, environment: environment, now: now)
  }
  func renewals(
    of ids: [String], environment: AppStoreEnvironment
  ) async throws -> [RenewalRecord] {
    try await base.renewals(of: ids, environment: environment)
  }
  func record(session: VerificationSession, now: Date) async throws {
    try fuse.burn()
    try await base.record(session: session, now: now)
  }
  func put(_ receipt: StoredReceipt, now: Date) async throws {
    try fuse.burn()
    try await base.put(receipt, now: now)
  }
  func receipt(of id: String, environment: AppStoreEnvironment) async throws -> StoredReceipt? {
    try await base.receipt(of: id, environment: environment)
  }
  func receiptStamp(of id: String, environment: AppStoreEnvironment) async throws -> Date? {
    try await base.receiptStamp(of: id, environment: environment)
  }
  func receipts(after cursor: ReceiptCursor?, limit: Int) async throws -> [StoredReceipt] {
    try await base.receipts(after: cursor, limit: limit)
  }
  func purchases(after cursor: ReceiptCursor?, limit: Int) async throws -> [ReceiptCursor] {
    try await base.purchases(after: cursor, limit: limit)
  }
  func revision(
    of id: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) async throws -> HistoryRevision? {
    try await base.revision(of: id, environment: environment, kind: kind)
  }
  func put(_ revision: HistoryRevision) async throws {
    try fuse.burn()
    try await base.put(revision)
  }
  func removeRevision(
    of id: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) async throws {
    try fuse.burn()
    try await base.removeRevision(of: id, environment: environment, kind: kind)
  }
  func record(_ transfer: PurchaseTransfer) async throws {
    try fuse.burn()
    try await base.record(transfer)
  }
  func transfers(
    of id: String, environment: AppStoreEnvironment
  ) async throws -> [PurchaseTransfer] {
    try await base.transfers(of: id, environment: environment)
  }
}

struct FaultyNotifications: NotificationRepository {
  let base: any NotificationRepository
  let fuse: Fuse

  func latestNotificationDate(environment: AppStoreEnvironment) async throws -> Date? {
    try await base.latestNotificationDate(environment: environment)
  }
  func record(notification: NotificationRecord, now: Date) async throws -> Bool {
    try fuse.burn()
    return try await base.record(notification: notification, now: now)
  }
  func isSeen(notificationKey: String) async throws -> Bool {
    try await base.isSeen(notificationKey: notificationKey)
  }
  func keep(_ notification: KeptNotification) async throws {
    try fuse.burn()
    try await base.keep(notification)
  }
  func keptNotifications(after key: String?, limit: Int) async throws -> [KeptNotification] {
    try await base.keptNotifications(after: key, limit: limit)
  }
  func removeKeptNotification(key: String) async throws {
    try fuse.burn()
    try await base.removeKeptNotification(key: key)
  }
}

struct FaultyMemberships: MembershipRepository {
  let base: any MembershipRepository
  let fuse: Fuse

  func find(account: Account?, appleSubscriptionIDs: [String]) async throws -> [Membership] {
    try await base.find(account: account, appleSubscriptionIDs: appleSubscriptionIDs)
  }
  func insert(_ membership: Membership) async throws -> Membership {
    try fuse.burn()
    return try await base.insert(membership)
  }
  func update(_ membership: Membership, previous: Membership) async throws -> Membership {
    try fuse.burn()
    return try await base.update(membership, previous: previous)
  }
  func delete(_ membership: Membership) async throws {
    try fuse.burn()
    try await base.delete(membership)
  }
  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) async throws {
    try fuse.burn()
    try await base.snapshot(membership, reason: reason, now: now)
  }
  func recordDispute(originalTransactionID: String, account: Account, now: Date) async throws {
    try fuse.burn()
    try await base.recordDispute(
      originalTransactionID: originalTransactionID, account: account, now: now)
  }
  func recordUnlink(originalTransactionID: String, accountID: AccountID, now: Date) async throws {
    try fuse.burn()
    try await base.recordUnlink(
      originalTransactionID: originalTransactionID, accountID: accountID, now: now)
  }
  func history(of query: MembershipHistoryQuery, limit: Int) async throws -> [MembershipEvent] {
    try await base.history(of: query, limit: limit)
  }
  func disputes(_ query: DisputeQuery, limit: Int) async throws -> [Dispute] {
    try await base.disputes(query, limit: limit)
  }

  func removeSnapshots(before: Date, limit: Int) async throws -> Int {
    try await base.removeSnapshots(before: before, limit: limit)
  }
}

struct FaultyOutbox: OutboxRepository {
  let base: any OutboxRepository
  let fuse: Fuse

  func add(_ message: OutboxMessage, now: Date) async throws {
    try fuse.burn()
    try await base.add(message, now: now)
  }
  func lease(
    limit: Int, except kinds: Set<OutboxMessage.Kind>, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    try await base.lease(limit: limit, except: kinds, now: now, until: until, token: token)
  }
  func markSent(_ lease: OutboxLease, now: Date) async throws -> Bool {
    try await base.markSent(lease, now: now)
  }
  func markFailed(_ lease: OutboxLease, nextTry: Date) async throws -> Bool {
    try await base.markFailed(lease, nextTry: nextTry)
  }
  func giveBack(_ lease: OutboxLease) async throws { try await base.giveBack(lease) }
  func removeSent(before: Date, limit: Int) async throws -> Int {
    try await base.removeSent(before: before, limit: limit)
  }
  func postpone(_ lease: OutboxLease, until nextTry: Date) async throws -> Bool {
    try await base.postpone(lease, until: nextTry)
  }
  func park(_ lease: OutboxLease, reason: ParkingReason, now: Date) async throws -> Bool {
    try await base.park(lease, reason: reason, now: now)
  }
  func parked(after number: Int, limit: Int) async throws -> [ParkedMessage] {
    try await base.parked(after: number, limit: limit)
  }
  func newest(to account: AccountID, limit: Int) async throws -> [KeptMessage] {
    try await base.newest(to: account, limit: limit)
  }
  func sendAgain(_ number: Int) async throws -> Bool { try await base.sendAgain(number) }
  func discard(_ number: Int) async throws -> Bool { try await base.discard(number) }
  func backlog() async throws -> OutboxBacklog { try await base.backlog() }
  func oldestDate(except kinds: Set<OutboxMessage.Kind>) async throws -> Date? {
    try await base.oldestDate(except: kinds)
  }
}

struct FaultyConsumption: ConsumptionRepository {
  let base: any ConsumptionRepository
  let fuse: Fuse

  func add(_ case: ConsumptionCase) async throws -> Bool {
    try fuse.burn()
    return try await base.add(`case`)
  }
  func find(key: String) async throws -> ConsumptionCase? { try await base.find(key: key) }
  func prepare(_ case: ConsumptionCase, replacing answer: String?) async throws -> Bool {
    try fuse.burn()
    return try await base.prepare(`case`, replacing: answer)
  }
  func settle(
    key: String, state: ConsumptionCase.State, answer: String?, now: Date
  ) async throws {
    try fuse.burn()
    try await base.settle(key: key, state: state, answer: answer, now: now)
  }
  func note(
    outcome: String, ofTransaction id: String, environment: AppStoreEnvironment, date: Date
  ) async throws -> Bool {
    try fuse.burn()
    return try await base.note(
      outcome: outcome, ofTransaction: id, environment: environment, date: date)
  }
  func cases(
    ofTransaction id: String, environment: AppStoreEnvironment
  ) async throws -> [ConsumptionCase] {
    try await base.cases(ofTransaction: id, environment: environment)
  }
  func waiting(at date: Date, limit: Int) async throws -> [ConsumptionCase] {
    try await base.waiting(at: date, limit: limit)
  }
}

struct FaultyEvents: EventRepository {
  let base: any EventRepository
  let fuse: Fuse

  func add(_ event: EventRecord) async throws {
    try fuse.burn()
    try await base.add(event)
  }
  func hasNew() async throws -> Bool { try await base.hasNew() }
  func order(limit: Int) async throws -> Int { try await base.order(limit: limit) }
  func events(after position: Int, limit: Int) async throws -> [OrderedEvent] {
    try await base.events(after: position, limit: limit)
  }
  func event(at position: Int) async throws -> OrderedEvent? {
    try await base.event(at: position)
  }
  func newest(of account: AccountID?, limit: Int) async throws -> [EventRecord] {
    try await base.newest(of: account, limit: limit)
  }
  func lastPosition() async throws -> Int { try await base.lastPosition() }
  func reader(_ name: String) async throws -> EventReader? { try await base.reader(name) }
  func hold(_ name: String) async throws -> EventReader { try await base.hold(name) }
  func save(_ reader: EventReader) async throws { try await base.save(reader) }
  func removeReader(_ name: String) async throws { try await base.removeReader(name) }
  func removeEvents(before: Date, limit: Int) async throws -> Int {
    try await base.removeEvents(before: before, limit: limit)
  }
}

struct FaultyErasure: ErasureRepository {
  let base: any ErasureRepository
  let fuse: Fuse

  func traces(of account: Account) async throws -> AccountTraces {
    try await base.traces(of: account)
  }
  func purchases(markedBy tokens: Set<UUID>) async throws -> [ReceiptCursor] {
    try await base.purchases(markedBy: tokens)
  }
  func erase(_ erasure: AccountErasure) async throws -> [ErasedKind: Int] {
    try fuse.burn()
    let rows = try await base.erase(erasure)
    try fuse.burn()
    return rows
  }
}
