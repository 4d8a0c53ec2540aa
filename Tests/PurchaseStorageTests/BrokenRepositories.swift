import Foundation
import LinkPolicy
import PurchaseStorage
import ReceiptModels

/// Subscriptions of which single answers can be broken.
struct BrokenSubscriptions: SubscriptionRepository {
  var base: any SubscriptionRepository
  var isOwnerSaved = false
  var isListReversed = false
  var isUseForgotten = false
  var isGoogleForgotten = false
  var areIDsCut = false
  var isInsertingSaving = false

  func find(
    _ ids: [String], inserting new: [Subscription], asOf: Date, now: Date
  ) async throws -> [StoredSubscription] {
    if isInsertingSaving {
      for subscription in new { try await save(subscription, asOf: asOf, now: now) }
    }
    return try await base.find(ids, inserting: new, asOf: asOf, now: now)
  }

  func find(_ ids: [String]) async throws -> [StoredSubscription] {
    try await base.find(ids).map { row in
      var row = row
      if isUseForgotten { row.subscription.isInUse = false }
      if isGoogleForgotten, row.subscription.vendor == .google { row.subscription.isInUse = false }
      return row
    }
  }

  func save(_ subscription: Subscription, asOf: Date, now: Date) async throws {
    var saved = subscription
    if areIDsCut {
      saved.originalTransactionID = String(saved.originalTransactionID.prefix(63))
      saved.lastTransactionID = String(saved.lastTransactionID.prefix(63))
    }
    try await base.save(saved, asOf: asOf, now: now)
    if isOwnerSaved {
      try await base.setOwner(saved.owner, of: saved.originalTransactionID, now: now)
    }
  }

  func setOwner(_ owner: AccountID?, of id: String, now: Date) async throws {
    try await base.setOwner(owner, of: id, now: now)
  }

  func list(owner: AccountID, offset: Int, limit: Int) async throws -> SubscriptionPage {
    var page = try await base.list(owner: owner, offset: offset, limit: limit)
    if isListReversed { page.subscriptions.reverse() }
    return page
  }
}

/// Evidence of which single rules can be broken.
struct BrokenPurchases: PurchaseRepository {
  var base: any PurchaseRepository
  var isGuardMissing = false
  var areRenewalsAdded = false
  var areSetsUnstamped = false
  var isWalkReversed = false
  var isReceiptStampFixed = false
  var areRefundsForgotten = false
  var areTransfersForgotten = false

  private static let stamp = Date(timeIntervalSince1970: 4_000_000_000)

  func record(
    transactions: [PurchaseRecord], environment: AppStoreEnvironment, now: Date
  ) async throws {
    let rows = transactions.map { row in
      var row = row
      if isGuardMissing { row.signedDate = Self.stamp }
      if areRefundsForgotten { row.cancellationDate = nil }
      return row
    }
    try await base.record(transactions: rows, environment: environment, now: now)
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
    let old = areRenewalsAdded ? try await base.renewals(of: [id], environment: environment) : []
    try await base.replace(
      renewals: old + renewals, of: id, environment: environment,
      asOf: areSetsUnstamped ? Self.stamp : asOf, now: now)
  }

  func record(
    renewals: [RenewalRecord], environment: AppStoreEnvironment, now: Date
  ) async throws {
    let rows = renewals.map { row in
      var row = row
      if isGuardMissing { row.signedDate = Self.stamp }
      return row
    }
    try await base.record(renewals: rows, environment: environment, now: now)
  }

  func renewals(
    of ids: [String], environment: AppStoreEnvironment
  ) async throws -> [RenewalRecord] {
    try await base.renewals(of: ids, environment: environment)
  }

  func record(session: VerificationSession, now: Date) async throws {
    try await base.record(session: session, now: now)
  }

  func put(_ receipt: StoredReceipt, now: Date) async throws {
    let row = StoredReceipt(
      originalTransactionID: receipt.originalTransactionID, environment: receipt.environment,
      receipt: receipt.receipt, asOf: isGuardMissing ? Self.stamp : receipt.asOf)
    try await base.put(row, now: now)
  }

  func receipt(
    of id: String, environment: AppStoreEnvironment
  ) async throws -> StoredReceipt? {
    try await base.receipt(of: id, environment: environment)
  }

  func receiptStamp(of id: String, environment: AppStoreEnvironment) async throws -> Date? {
    if isReceiptStampFixed { return Self.stamp }
    return try await base.receiptStamp(of: id, environment: environment)
  }

  func receipts(after cursor: ReceiptCursor?, limit: Int) async throws -> [StoredReceipt] {
    let receipts = try await base.receipts(after: cursor, limit: limit)
    return isWalkReversed ? receipts.reversed() : receipts
  }

  func purchases(after cursor: ReceiptCursor?, limit: Int) async throws -> [ReceiptCursor] {
    let keys = try await base.purchases(after: cursor, limit: limit)
    return isWalkReversed ? keys.reversed() : keys
  }

  func revision(
    of id: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) async throws -> HistoryRevision? {
    try await base.revision(of: id, environment: environment, kind: kind)
  }

  func put(_ revision: HistoryRevision) async throws {
    var revision = revision
    if isGuardMissing { revision.asOf = Self.stamp }
    try await base.put(revision)
  }

  func removeRevision(
    of id: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) async throws {
    try await base.removeRevision(of: id, environment: environment, kind: kind)
  }

  func record(_ transfer: PurchaseTransfer) async throws {
    if areTransfersForgotten { return }
    try await base.record(transfer)
  }

  func transfers(
    of id: String, environment: AppStoreEnvironment
  ) async throws -> [PurchaseTransfer] {
    try await base.transfers(of: id, environment: environment)
  }
}

/// Notifications each of which is new again and again.
struct ForgetfulNotifications: NotificationRepository {
  let base: any NotificationRepository

  func latestNotificationDate(environment: AppStoreEnvironment) async throws -> Date? {
    try await base.latestNotificationDate(environment: environment)
  }

  func record(notification: NotificationRecord, now: Date) async throws -> Bool {
    _ = try await base.record(notification: notification, now: now)
    return true
  }

  func isSeen(notificationKey: String) async throws -> Bool {
    try await base.isSeen(notificationKey: notificationKey)
  }

  func keep(_ notification: KeptNotification) async throws {
    try await base.keep(notification)
  }

  func keptNotifications(after key: String?, limit: Int) async throws -> [KeptNotification] {
    try await base.keptNotifications(after: key, limit: limit)
  }

  func removeKeptNotification(key: String) async throws {
    try await base.removeKeptNotification(key: key)
  }
}

/// Memberships of which single rules can be broken.
struct BrokenMemberships: MembershipRepository {
  var base: any MembershipRepository
  var isOrderReversed = false
  var isRowMadeAnew = false
  var areTextsTrimmed = false
  var areWordsForgotten = false
  var isHistoryReversed = false
  var isAbsenceAccepted = false

  func find(account: Account?, appleSubscriptionIDs: [String]) async throws -> [Membership] {
    let rows = try await base.find(account: account, appleSubscriptionIDs: appleSubscriptionIDs)
    return isOrderReversed ? rows.reversed() : rows
  }

  func insert(_ membership: Membership) async throws -> Membership {
    var row = membership
    if areTextsTrimmed {
      row.details.hostPlanID = row.details.hostPlanID?.split(separator: " ").joined(separator: " ")
    }
    if areWordsForgotten, row.tier?.isKnown == false { row.tier = nil }
    return try await base.insert(row)
  }

  func update(_ membership: Membership, previous: Membership) async throws -> Membership {
    do {
      guard isRowMadeAnew else { return try await base.update(membership, previous: previous) }
      try await base.delete(previous)
      var row = membership
      row.id = nil
      return try await base.insert(row)
    } catch StorageFailure.conflict where isAbsenceAccepted {
      return try await base.insert(membership)
    }
  }

  func delete(_ membership: Membership) async throws {
    do {
      try await base.delete(membership)
    } catch StorageFailure.conflict where isAbsenceAccepted {}
  }

  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) async throws {
    try await base.snapshot(membership, reason: reason, now: now)
  }

  func recordDispute(originalTransactionID: String, account: Account, now: Date) async throws {
    try await base.recordDispute(
      originalTransactionID: originalTransactionID, account: account, now: now)
  }

  func recordUnlink(originalTransactionID: String, accountID: AccountID, now: Date) async throws {
    try await base.recordUnlink(
      originalTransactionID: originalTransactionID, accountID: accountID, now: now)
  }

  func history(of query: MembershipHistoryQuery, limit: Int) async throws -> [MembershipEvent] {
    let events = try await base.history(of: query, limit: limit)
    return isHistoryReversed ? events.reversed() : events
  }

  func disputes(_ query: DisputeQuery, limit: Int) async throws -> [Dispute] {
    try await base.disputes(query, limit: limit)
  }

  func removeSnapshots(before: Date, limit: Int) async throws -> Int {
    try await base.removeSnapshots(before: before, limit: limit)
  }
}

/// Leases of which single rules can be broken.
struct BrokenRefreshes: RefreshRepository {
  var base: any RefreshRepository
  var isLeaseOver = false
  var isFinishTrusted = false
  var isOrderReversed = false
  var areUntoldForgotten = false
  var isHoldLost = false

  func lease(_ request: RefreshLeaseRequest) async throws -> [RefreshLease] {
    var request = request
    if isLeaseOver { request.until = request.now }
    var leases = try await base.lease(request)
    if areUntoldForgotten { leases.removeAll { $0.untoldEnd != nil } }
    return isOrderReversed ? leases.reversed() : leases
  }

  func finish(
    _ lease: RefreshLease, failures: Int, nextTry: Date, error: String?
  ) async throws -> Bool {
    let isOurs = try await base.finish(
      lease, failures: failures, nextTry: isHoldLost ? .distantPast : nextTry, error: error)
    return isOurs || isFinishTrusted
  }

  func giveBack(_ lease: RefreshLease) async throws { try await base.giveBack(lease) }

  func beginRun(now: Date) async throws -> Int { try await base.beginRun(now: now) }

  func endRun(_ number: Int, succeeded: Int, failed: Int, now: Date) async throws {
    try await base.endRun(number, succeeded: succeeded, failed: failed, now: now)
  }

  func runs(limit: Int) async throws -> [RefreshRun] { try await base.runs(limit: limit) }
}

/// An outbox of which single rules can be broken.
struct BrokenOutbox: OutboxRepository {
  var base: any OutboxRepository
  var isLeaseOver = false
  var isSendingForgotten = false
  var areLeasesKept = false
  var isOrderReversed = false
  var isRemovalUnbounded = false
  var areKindsIgnored = false
  var isParkingAFailure = false
  var isPostponingAFailure = false
  var isBacklogOfAll = false
  var isLineOvertaken = false

  func add(_ message: OutboxMessage, now: Date) async throws {
    try await base.add(message, now: now)
  }

  func lease(
    limit: Int, except kinds: Set<OutboxMessage.Kind>, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    let leases = try await base.lease(
      limit: limit, except: areKindsIgnored ? [] : kinds, now: now,
      until: isLeaseOver ? now : until, token: token)
    return isOrderReversed ? leases.reversed() : leases
  }

  func lease(
    line: OutboxMessage.Kind, limit: Int, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    let leases = try await base.lease(
      line: line, limit: limit, now: now, until: isLineOvertaken ? now : until, token: token)
    return leases
  }

  func waiting(inLine line: OutboxMessage.Kind, limit: Int) async throws -> Int {
    try await base.waiting(inLine: line, limit: isBacklogOfAll ? .max : limit)
  }

  func isDue(inLine line: OutboxMessage.Kind, now: Date) async throws -> Bool {
    try await base.isDue(inLine: line, now: now)
  }

  func hasten(line: OutboxMessage.Kind, limit: Int, now: Date) async throws -> Int {
    try await base.hasten(line: line, limit: limit, now: now)
  }

  func markSent(_ lease: OutboxLease, now: Date) async throws -> Bool {
    if isSendingForgotten { return true }
    return try await base.markSent(lease, now: now)
  }

  func markFailed(_ lease: OutboxLease, nextTry: Date) async throws -> Bool {
    try await base.markFailed(lease, nextTry: nextTry)
  }

  func postpone(_ lease: OutboxLease, until nextTry: Date) async throws -> Bool {
    if isPostponingAFailure { return try await base.markFailed(lease, nextTry: nextTry) }
    return try await base.postpone(lease, until: nextTry)
  }

  func park(_ lease: OutboxLease, reason: ParkingReason, now: Date) async throws -> Bool {
    if isParkingAFailure { return try await base.markFailed(lease, nextTry: now) }
    return try await base.park(lease, reason: reason, now: now)
  }

  func parked(after number: Int, limit: Int) async throws -> [ParkedMessage] {
    try await base.parked(after: number, limit: limit)
  }

  func newest(to account: AccountID, limit: Int) async throws -> [KeptMessage] {
    try await base.newest(to: account, limit: limit)
  }
  func sendAgain(_ number: Int) async throws -> Bool { try await base.sendAgain(number) }
  func discard(_ number: Int) async throws -> Bool { try await base.discard(number) }

  func giveBack(_ lease: OutboxLease) async throws {
    if !areLeasesKept { try await base.giveBack(lease) }
  }

  func removeSent(before: Date, limit: Int) async throws -> Int {
    try await base.removeSent(before: before, limit: isRemovalUnbounded ? .max : limit)
  }

  func backlog() async throws -> OutboxBacklog {
    var backlog = try await base.backlog()
    if isBacklogOfAll { backlog.waiting += backlog.parked }
    return backlog
  }

  func oldestDate(except kinds: Set<OutboxMessage.Kind>) async throws -> Date? {
    try await base.oldestDate(except: kinds)
  }
}

/// Events of which single rules can be broken.
struct BrokenEvents: EventRepository {
  var base: any EventRepository
  /// Whether positions are those of the writing, so that a late one comes below what was read.
  var isOrderedBackwards = false
  var isPlaceForgotten = false
  var areReadersKept = false
  var isAgeForgotten = false

  func add(_ event: EventRecord) async throws { try await base.add(event) }
  func hasNew() async throws -> Bool { try await base.hasNew() }
  func order(limit: Int) async throws -> Int { try await base.order(limit: limit) }
  func events(after position: Int, limit: Int) async throws -> [OrderedEvent] {
    let events = try await base.events(after: position, limit: limit)
    return isOrderedBackwards ? events.reversed() : events
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
  func save(_ reader: EventReader) async throws {
    if !isPlaceForgotten { try await base.save(reader) }
  }
  func removeReader(_ name: String) async throws {
    if !areReadersKept { try await base.removeReader(name) }
  }
  func removeEvents(before: Date, limit: Int) async throws -> Int {
    try await base.removeEvents(before: isAgeForgotten ? .distantFuture : before, limit: limit)
  }
}

/// An age of evidence of which single rules can be broken.
struct BrokenRetention: RetentionRepository {
  var base: any RetentionRepository
  var isLeaseOver = false
  var isAgeForgotten = false

  func lease(
    _ kind: RetainedKind, now: Date, until: Date, token: String
  ) async throws -> Bool {
    try await base.lease(kind, now: now, until: isLeaseOver ? now : until, token: token)
  }

  func giveBack(_ kind: RetainedKind, token: String) async throws {
    try await base.giveBack(kind, token: token)
  }

  func removeNotifications(before: Date, limit: Int) async throws -> Int {
    try await base.removeNotifications(before: age(before), limit: limit)
  }

  func removeSessions(before: Date, limit: Int) async throws -> Int {
    try await base.removeSessions(before: age(before), limit: limit)
  }

  func removeConsumptionCases(before: Date, limit: Int) async throws -> Int {
    try await base.removeConsumptionCases(before: age(before), limit: limit)
  }

  private func age(_ before: Date) -> Date { isAgeForgotten ? .distantFuture : before }
}
