internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// The records that all capabilities have in common, of a unit of work that is watched.

/// Those who are told of what happens to purchases in a unit of work.
protocol PurchaseWatch {
  /// Notes purchases before they are written.
  func note(_ ids: some Sequence<String>, _ environment: AppStoreEnvironment) async throws
  /// Notes the purchases of transactions before they are written.
  func note(_ transactions: [PurchaseRecord], _ environment: AppStoreEnvironment) async throws
  func tell(_ transfer: PurchaseTransfer)
}

extension PurchaseWatch {
  func note(_ transactions: [PurchaseRecord], _ environment: AppStoreEnvironment) async throws {
    try await note(transactions.map(\.originalTransactionID), environment)
  }
}

/// Those who are told of what is booked in a unit of work.
protocol LedgerWatch {
  func tell(_ entry: LedgerEntry)
}

struct WatchedRecords: PurchaseRecords {
  let base: any PurchaseRecords
  let watch: EventWatch

  var purchases: any PurchaseRepository { WatchedPurchases(base: base.purchases, watch: watch) }
  var notifications: any NotificationRepository {
    WatchedNotifications(base: base.notifications, watch: watch)
  }
  var outbox: any OutboxRepository { WatchedOutbox(base: base.outbox, watch: watch) }
  var jobs: any JobRepository { base.jobs }
  var consumption: any ConsumptionRepository { base.consumption }
  var retention: any RetentionRepository { base.retention }
  var events: (any EventRepository)? { base.events }
  var acts: (any ActRepository)? { base.acts }
  var money: (any MoneyRepository)? { base.money }
  var erasure: (any ErasureRepository)? {
    base.erasure.map { WatchedErasure(base: $0, watch: watch) }
  }

  func newestEvents() async throws -> [HostEvent: Date] { try await base.newestEvents() }

  func prepare(for questions: [UnitQuestion]) async throws {
    try await base.prepare(for: questions)
  }
}

struct WatchedPurchases: PurchaseRepository {
  let base: any PurchaseRepository
  let watch: any PurchaseWatch

  func record(
    transactions: [PurchaseRecord], environment: AppStoreEnvironment, now: Date
  ) async throws {
    try await watch.note(transactions, environment)
    try await base.record(transactions: transactions, environment: environment, now: now)
  }

  func replace(
    renewals: [RenewalRecord], of id: String, environment: AppStoreEnvironment, asOf: Date,
    now: Date
  ) async throws {
    try await watch.note([id], environment)
    try await base.replace(
      renewals: renewals, of: id, environment: environment, asOf: asOf, now: now)
  }

  func record(
    renewals: [RenewalRecord], environment: AppStoreEnvironment, now: Date
  ) async throws {
    try await watch.note(renewals.map(\.originalTransactionID), environment)
    try await base.record(renewals: renewals, environment: environment, now: now)
  }

  func record(_ transfer: PurchaseTransfer) async throws {
    try await base.record(transfer)
    watch.tell(transfer)
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

  func renewals(
    of ids: [String], environment: AppStoreEnvironment
  ) async throws -> [RenewalRecord] {
    try await base.renewals(of: ids, environment: environment)
  }

  func record(session: VerificationSession, now: Date) async throws {
    try await base.record(session: session, now: now)
  }

  func put(_ receipt: StoredReceipt, now: Date) async throws {
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

  func put(_ revision: HistoryRevision) async throws { try await base.put(revision) }

  func removeRevision(
    of id: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind
  ) async throws {
    try await base.removeRevision(of: id, environment: environment, kind: kind)
  }

  func transfers(
    of id: String, environment: AppStoreEnvironment
  ) async throws -> [PurchaseTransfer] {
    try await base.transfers(of: id, environment: environment)
  }
}

private struct WatchedErasure: ErasureRepository {
  let base: any ErasureRepository
  let watch: EventWatch

  func traces(of account: Account) async throws -> AccountTraces {
    try await base.traces(of: account)
  }

  func purchases(markedBy tokens: Set<UUID>) async throws -> [ReceiptCursor] {
    try await base.purchases(markedBy: tokens)
  }

  func erase(_ erasure: AccountErasure) async throws -> [ErasedKind: Int] {
    let rows = try await base.erase(erasure)
    if !rows.isEmpty {
      watch.tell(
        .accountErased, erasure.pseudonym,
        .erasure(ErasureNotice(reference: erasure.reference)))
    }
    return rows
  }
}

private struct WatchedNotifications: NotificationRepository {
  let base: any NotificationRepository
  let watch: EventWatch

  func keep(_ notification: KeptNotification) async throws {
    try await base.keep(notification)
    watch.tell(
      .notificationNotDecoded, nil,
      .notification(
        UnreadNotification(
          key: notification.key, environment: notification.environment, path: notification.path)),
      once: [notification.key])
  }

  func record(notification: NotificationRecord, now: Date) async throws -> Bool {
    try await base.record(notification: notification, now: now)
  }

  func isSeen(notificationKey: String) async throws -> Bool {
    try await base.isSeen(notificationKey: notificationKey)
  }

  func latestNotificationDate(environment: AppStoreEnvironment) async throws -> Date? {
    try await base.latestNotificationDate(environment: environment)
  }

  func keptNotifications(after key: String?, limit: Int) async throws -> [KeptNotification] {
    try await base.keptNotifications(after: key, limit: limit)
  }

  func removeKeptNotification(key: String) async throws {
    try await base.removeKeptNotification(key: key)
  }
}

private struct WatchedOutbox: OutboxRepository {
  let base: any OutboxRepository
  let watch: EventWatch

  func add(_ message: OutboxMessage, now: Date) async throws {
    try await base.add(message, now: now)
    guard let kind = PurchaseEvent.Kind.notice(by: message.kind) else { return }
    let id = message.originalTransactionID
    watch.tell(
      kind, message.account?.id ?? watch.owner(of: id),
      .notice(
        StoreNotice(
          originalTransactionID: id, reference: message.reference, deadline: message.deadline)))
  }

  func lease(
    limit: Int, except kinds: Set<OutboxMessage.Kind>, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    try await base.lease(limit: limit, except: kinds, now: now, until: until, token: token)
  }

  func lease(
    line: OutboxMessage.Kind, limit: Int, now: Date, until: Date, token: String
  ) async throws -> [OutboxLease] {
    try await base.lease(line: line, limit: limit, now: now, until: until, token: token)
  }

  func waiting(inLine line: OutboxMessage.Kind, limit: Int) async throws -> Int {
    try await base.waiting(inLine: line, limit: limit)
  }

  func isDue(inLine line: OutboxMessage.Kind, now: Date) async throws -> Bool {
    try await base.isDue(inLine: line, now: now)
  }

  func hasten(line: OutboxMessage.Kind, limit: Int, now: Date) async throws -> Int {
    try await base.hasten(line: line, limit: limit, now: now)
  }

  func markSent(_ lease: OutboxLease, now: Date) async throws -> Bool {
    try await base.markSent(lease, now: now)
  }

  func markFailed(_ lease: OutboxLease, nextTry: Date) async throws -> Bool {
    try await base.markFailed(lease, nextTry: nextTry)
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

  func discard(
    line: OutboxMessage.Kind, parkedBefore: Date?, limit: Int
  ) async throws -> Int {
    try await base.discard(line: line, parkedBefore: parkedBefore, limit: limit)
  }

  func giveBack(_ lease: OutboxLease) async throws { try await base.giveBack(lease) }

  func removeSent(before: Date, limit: Int) async throws -> Int {
    try await base.removeSent(before: before, limit: limit)
  }

  func backlog() async throws -> OutboxBacklog { try await base.backlog() }

  func oldestDate(except kinds: Set<OutboxMessage.Kind>) async throws -> Date? {
    try await base.oldestDate(except: kinds)
  }
}

extension EventWatch: PurchaseWatch {
  func tell(_ transfer: PurchaseTransfer) {
    func move(_ other: AccountID) -> PurchaseEvent.Details {
      .move(
        PurchaseMove(
          environment: transfer.environment,
          originalTransactionID: transfer.originalTransactionID, otherAccount: other))
    }
    tell(.purchaseMovedAway, transfer.previousOwner, move(transfer.owner))
    tell(.purchaseMoved, transfer.owner, move(transfer.previousOwner))
  }
}

extension PurchaseEvent.Kind {
  /// The type that tells the same as a message of the outbox; nil for e-mails, and for what the package does itself.
  fileprivate static func notice(by kind: OutboxMessage.Kind) -> PurchaseEvent.Kind? {
    switch kind {
    case .consumption, .refundReview: .purchaseRefundRequested
    case .starterRefused: .creditsStarterRefused
    case .priceIncrease: .subscriptionPriceIncrease
    case .offerRedeemed: .subscriptionOfferRedeemed
    case .winBackEligible: .subscriptionWinBackEligible
    case .consentRescinded: .consentRescinded
    case .externalPurchaseCreated: .externalPurchaseCreated
    case .externalPurchaseReminder: .externalPurchaseReminder
    case .externalPurchaseUnreported: .externalPurchaseUnreported
    default: nil
    }
  }
}
