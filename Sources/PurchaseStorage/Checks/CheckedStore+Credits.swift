internal import CreditPolicy
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CheckedStore: CreditTransactionRepository where Records == any CreditRecords {
  func find(transactionID: String, environment: AppStoreEnvironment) async throws
    -> CreditTransaction?
  {
    guard fits(.creditTransactionID, transactionID), fits(.creditEnvironment, environment.rawValue)
    else { return nil }
    return try await base.creditTransactions.find(
      transactionID: transactionID, environment: environment)
  }

  func insert(_ transaction: CreditTransaction, now: Date) async throws -> CreditTransaction? {
    try transaction.checkTexts()
    return try await base.creditTransactions.insert(transaction, now: now)
  }

  func update(_ transaction: CreditTransaction, now: Date) async throws {
    try transaction.checkTexts()
    try await base.creditTransactions.update(transaction, now: now)
  }

  func transactions(of userID: AccountID, after id: Int?, limit: Int) async throws
    -> [CreditTransaction]
  {
    guard fits(.creditUserID, userID.rawValue) else { return [] }
    return try await base.creditTransactions.transactions(of: userID, after: id, limit: limit)
  }

  func transactions(after id: Int?, limit: Int) async throws -> [CreditTransaction] {
    try await base.creditTransactions.transactions(after: id, limit: limit)
  }
}

extension CheckedStore: CreditLedgerRepository where Records == any CreditRecords {
  func balance(of userID: AccountID) async throws -> Int {
    guard fits(.creditUserID, userID.rawValue) else { return 0 }
    return try await base.creditLedger.balance(of: userID)
  }

  func book(_ booking: LedgerBooking, now: Date) async throws -> BookingResult {
    let booking = try booking.storable()
    return try await base.creditLedger.book(booking, now: now)
  }

  func entry(eventID: String, environment: AppStoreEnvironment?) async throws -> LedgerEntry? {
    guard fits(.eventID, eventID),
      environment.map({ fits(.creditEnvironment, $0.rawValue) }) ?? true
    else { return nil }
    return try await base.creditLedger.entry(eventID: eventID, environment: environment)
  }

  func entries(of userID: AccountID, skipping: Int, limit: Int) async throws -> [LedgerEntry] {
    guard fits(.creditUserID, userID.rawValue) else { return [] }
    return try await base.creditLedger.entries(of: userID, skipping: skipping, limit: limit)
  }

  func count(of userID: AccountID) async throws -> Int {
    guard fits(.creditUserID, userID.rawValue) else { return 0 }
    return try await base.creditLedger.count(of: userID)
  }
}

extension CheckedStore: StarterClaimRepository where Records == any CreditRecords {
  func find(identity: String) async throws -> StarterClaim? {
    guard fits(.identity, identity) else { return nil }
    return try await base.starterClaims.find(identity: identity)
  }

  func mark(identity: String, userID: AccountID, transactionID: String, now: Date) async throws
    -> Bool
  {
    try check(.identity, identity)
    try check(.creditUserID, userID.rawValue)
    try check(.creditTransactionID, transactionID)
    return try await base.starterClaims.mark(
      identity: identity, userID: userID, transactionID: transactionID, now: now)
  }
}

extension CheckedStore: CreditNotificationRepository where Records == any CreditRecords {
  func record(_ notification: CreditNotification) async throws -> Bool {
    try notification.checkTexts()
    return try await base.creditNotifications.record(notification)
  }

  func find(uuid: String) async throws -> CreditNotification? {
    guard fits(.uuid, uuid) else { return nil }
    return try await base.creditNotifications.find(uuid: uuid)
  }
}
