internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CheckedStore: PurchaseRepository where Records == any PurchaseRecords {
  func record(transactions: [PurchaseRecord], environment: AppStoreEnvironment, now: Date)
    async throws
  {
    try check(environment)
    try transactions.checkTexts()
    try await base.purchases.record(transactions: transactions, environment: environment, now: now)
  }

  func transactions(of ids: [String], environment: AppStoreEnvironment) async throws
    -> [PurchaseRecord]
  {
    try await base.purchases.transactions(
      of: fitting(.originalTransactionID, ids), environment: environment)
  }

  func originalTransactionIDs(ofTransactions ids: [String], environment: AppStoreEnvironment)
    async throws -> [String]
  {
    try await base.purchases.originalTransactionIDs(
      ofTransactions: fitting(.transactionID, ids), environment: environment)
  }

  func purchases(after cursor: ReceiptCursor?, limit: Int) async throws -> [ReceiptCursor] {
    if let cursor { try StoredReceipt.checkKey(cursor.originalTransactionID, cursor.environment) }
    return try await base.purchases.purchases(after: cursor, limit: limit)
  }

  func replace(
    renewals: [RenewalRecord], of id: String, environment: AppStoreEnvironment, asOf: Date,
    now: Date
  ) async throws {
    try check(environment)
    try check(.originalTransactionID, id)
    try renewals.checkTexts()
    try await base.purchases.replace(
      renewals: renewals, of: id, environment: environment, asOf: asOf, now: now)
  }

  func record(renewals: [RenewalRecord], environment: AppStoreEnvironment, now: Date) async throws {
    try check(environment)
    try renewals.checkTexts()
    try await base.purchases.record(renewals: renewals, environment: environment, now: now)
  }

  func renewals(of ids: [String], environment: AppStoreEnvironment) async throws -> [RenewalRecord]
  {
    try await base.purchases.renewals(
      of: fitting(.originalTransactionID, ids), environment: environment)
  }

  func record(session: VerificationSession, now: Date) async throws {
    try session.checkTexts()
    try await base.purchases.record(session: session, now: now)
  }

  func put(_ receipt: StoredReceipt, now: Date) async throws {
    try receipt.checkTexts()
    try await base.purchases.put(receipt, now: now)
  }

  func receipt(of id: String, environment: AppStoreEnvironment) async throws -> StoredReceipt? {
    guard fits(.originalTransactionID, id) else { return nil }
    return try await base.purchases.receipt(of: id, environment: environment)
  }

  func receiptStamp(of id: String, environment: AppStoreEnvironment) async throws -> Date? {
    guard fits(.originalTransactionID, id) else { return nil }
    return try await base.purchases.receiptStamp(of: id, environment: environment)
  }

  func receipts(after cursor: ReceiptCursor?, limit: Int) async throws -> [StoredReceipt] {
    if let cursor { try StoredReceipt.checkKey(cursor.originalTransactionID, cursor.environment) }
    return try await base.purchases.receipts(after: cursor, limit: limit)
  }

  func revision(of id: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind)
    async throws -> HistoryRevision?
  {
    guard fits(.originalTransactionID, id) else { return nil }
    return try await base.purchases.revision(of: id, environment: environment, kind: kind)
  }

  func put(_ revision: HistoryRevision) async throws {
    try revision.checkTexts()
    try await base.purchases.put(revision)
  }

  func removeRevision(of id: String, environment: AppStoreEnvironment, kind: HistoryRevision.Kind)
    async throws
  {
    guard fits(.originalTransactionID, id) else { return }
    try await base.purchases.removeRevision(of: id, environment: environment, kind: kind)
  }

  func record(_ transfer: PurchaseTransfer) async throws {
    try transfer.checkTexts()
    try await base.purchases.record(transfer)
  }

  func transfers(
    of id: String, environment: AppStoreEnvironment
  ) async throws -> [PurchaseTransfer] {
    guard fits(.originalTransactionID, id) else { return [] }
    return try await base.purchases.transfers(of: id, environment: environment)
  }
}

extension CheckedStore: NotificationRepository where Records == any PurchaseRecords {
  func record(notification: NotificationRecord, now: Date) async throws -> Bool {
    try notification.checkTexts()
    return try await base.notifications.record(notification: notification, now: now)
  }

  func isSeen(notificationKey: String) async throws -> Bool {
    try check(.key, notificationKey)
    return try await base.notifications.isSeen(notificationKey: notificationKey)
  }

  func latestNotificationDate(environment: AppStoreEnvironment) async throws -> Date? {
    try await base.notifications.latestNotificationDate(environment: environment)
  }

  func keep(_ notification: KeptNotification) async throws {
    try notification.checkTexts()
    try await base.notifications.keep(notification)
  }

  func keptNotifications(after key: String?, limit: Int) async throws -> [KeptNotification] {
    try check(.key, key)
    return try await base.notifications.keptNotifications(after: key, limit: limit)
  }

  func removeKeptNotification(key: String) async throws {
    try check(.key, key)
    try await base.notifications.removeKeptNotification(key: key)
  }
}
