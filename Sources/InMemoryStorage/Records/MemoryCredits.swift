internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Transactions of credit products, in memory.
struct MemoryCreditTransactions: CreditTransactionRepository {
  let unit: MemoryUnit

  func find(
    transactionID: String, environment: AppStoreEnvironment
  ) throws -> CreditTransaction? {
    let key = IndexKey(.unique(.creditTransaction), RowKey(environment, transactionID))
    return try unit.reading { $0.creditTransactions.page(by: key).first }
  }

  func insert(_ transaction: CreditTransaction, now: Date) throws -> CreditTransaction? {
    try unit.writing(transaction) { tables, row in
      guard tables.creditTransactions.keys(by: row.purchase.indexKey).isEmpty else { return nil }
      return try tables.creditTransactions.append { row.numbered($0) }
    }
  }

  func update(_ transaction: CreditTransaction, now: Date) throws {
    try transaction.checkTexts()
    guard let number = transaction.id else { throw StorageFailure.invalidValue(field: "id") }
    try unit.writing(transaction) { tables, row in
      guard let before = tables.creditTransactions[number]?.purchase else { return }
      var row = row
      row.purchase.environment = before.environment
      row.purchase.transactionID = before.transactionID
      tables.creditTransactions[number] = row
    }
  }

  func transactions(
    of userID: AccountID, after id: Int?, limit: Int
  ) throws -> [CreditTransaction] {
    let key = IndexKey(.account, RowKey(userID))
    return try unit.reading { $0.creditTransactions.page(after: id, by: key, limit: limit) }
  }

  func transactions(after id: Int?, limit: Int) throws -> [CreditTransaction] {
    try unit.reading { $0.creditTransactions.page(after: id, limit: limit) }
  }
}

/// Balances and ledgers, in memory.
struct MemoryCreditLedger: CreditLedgerRepository {
  let unit: MemoryUnit

  func balance(of userID: AccountID) throws -> Int {
    try unit.reading { $0.balances[RowKey(userID)]?.balance ?? 0 }
  }

  func book(_ booking: LedgerBooking, now: Date) throws -> BookingResult {
    try booking.checkTexts()
    var stored = booking
    stored.metadata = try booking.storableMetadata().value
    return try unit.writing { tables in
      let balance = tables.balances[RowKey(stored.userID)]?.balance ?? 0
      let (sum, overflows) = balance.addingReportingOverflow(stored.amount)
      var entry = LedgerEntry(
        id: 0, booking: stored, balanceAfter: sum, createdDate: now.inMilliseconds)
      try tables.entries.keepUnique(entry)
      if overflows { return .outOfRange(balance: balance) }
      if sum < 0 { return .insufficient(balance: balance) }
      entry = try tables.entries.append { number in
        LedgerEntry(
          id: number, booking: stored, balanceAfter: sum, createdDate: entry.createdDate)
      }
      tables.balances[RowKey(stored.userID)] = CreditAccount(userID: stored.userID, balance: sum)
      return .booked(entry)
    }
  }

  func entry(eventID: String, environment: AppStoreEnvironment?) throws -> LedgerEntry? {
    let key = IndexKey(.unique(.ledgerEvent), RowKey(environment, eventID))
    return try unit.reading { $0.entries.page(by: key).first }
  }

  func entries(of userID: AccountID, skipping: Int, limit: Int) throws -> [LedgerEntry] {
    try unit.reading { tables in
      tables.entries.keys(by: IndexKey(.account, RowKey(userID))).reversed()
        .dropFirst(max(0, skipping)).prefix(max(0, limit)).compactMap { tables.entries[$0] }
    }
  }

  func count(of userID: AccountID) throws -> Int {
    try unit.reading { $0.entries.keys(by: IndexKey(.account, RowKey(userID))).count }
  }
}

/// Claims of starter packs, in memory.
struct MemoryStarterClaims: StarterClaimRepository {
  let unit: MemoryUnit

  func find(identity: String) throws -> StarterClaim? {
    try unit.reading { $0.starterClaims[RowKey(identity)] }
  }

  func mark(
    identity: String, userID: AccountID, transactionID: String, now: Date
  ) throws -> Bool {
    try StarterClaim.check(identity: identity, userID: userID, transactionID: transactionID)
    return try unit.writing { tables in
      var claim = tables.starterClaims[RowKey(identity)] ?? StarterClaim(identity: identity)
      guard !claim.hasPurchasedStarterPack else { return false }
      claim.userID = claim.userID ?? userID
      claim.hasPurchasedStarterPack = true
      claim.starterTransactionID = transactionID
      claim.starterPurchasedDate = now.inMilliseconds
      tables.starterClaims[RowKey(identity)] = claim
      return true
    }
  }
}

/// Notifications that were considered for credits, in memory.
struct MemoryCreditNotifications: CreditNotificationRepository {
  let unit: MemoryUnit

  func record(_ notification: CreditNotification) throws -> Bool {
    try unit.writing(notification) { $0.creditNotifications.add($1) }
  }

  func find(uuid: String) throws -> CreditNotification? {
    try unit.reading { $0.creditNotifications[RowKey(uuid)] }
  }
}

extension CreditTransaction: StoredRow {
  var stored: CreditTransaction {
    var row = self
    row.purchase.revocationDate = nil
    row.purchase.purchaseDate = purchase.purchaseDate.inMilliseconds
    row.lastEventSignedDate = lastEventSignedDate?.inMilliseconds
    return row
  }

  fileprivate func numbered(_ number: Int) -> CreditTransaction {
    var row = self
    row.id = number
    return row
  }
}

extension CreditPurchase {
  /// The environment and the transaction.
  var indexKey: IndexKey {
    IndexKey(.unique(.creditTransaction), RowKey(environment, transactionID))
  }
}

extension LedgerBooking {
  /// The environment and the event.
  var indexKey: IndexKey { IndexKey(.unique(.ledgerEvent), RowKey(environment, eventID)) }
}

extension CreditNotification: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(uuid) }

  var stored: CreditNotification {
    var row = self
    if subtype?.utf8.isEmpty == true { row.subtype = nil }
    row.signedDate = signedDate.inMilliseconds
    row.processedDate = processedDate.inMilliseconds
    return row
  }
}
