internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MemoryUnit: CreditTransactionRepository {
  func find(transactionID: String, environment: AppStoreEnvironment) throws -> CreditTransaction? {
    let key = IndexKey(.unique(.creditTransaction), RowKey(environment, transactionID))
    return try tables.creditTransactions.page(by: key).first
  }

  func insert(_ transaction: CreditTransaction, now: Date) throws -> CreditTransaction? {
    try writing { tables in
      let key = transaction.purchase.indexKey
      guard tables.creditTransactions.keys(by: key).isEmpty else { return nil }
      return try tables.creditTransactions.append { number in
        var row = transaction.stored
        row.id = number
        return row
      }
    }
  }

  func update(_ transaction: CreditTransaction, now: Date) throws {
    guard let number = transaction.id else { throw StorageFailure.invalidValue(field: "id") }
    try writing { tables in
      guard let before = tables.creditTransactions[number]?.purchase else { return }
      var row = transaction.stored
      row.purchase.environment = before.environment
      row.purchase.transactionID = before.transactionID
      tables.creditTransactions[number] = row
    }
  }

  func transactions(
    of userID: AccountID, after id: Int?, limit: Int
  ) throws -> [CreditTransaction] {
    let key = IndexKey(.account, RowKey(userID))
    return try tables.creditTransactions.page(after: id, by: key, limit: limit)
  }

  func transactions(after id: Int?, limit: Int) throws -> [CreditTransaction] {
    try tables.creditTransactions.page(after: id, limit: limit)
  }
}

extension MemoryUnit: CreditLedgerRepository {
  func balance(of userID: AccountID) throws -> Int { try account(of: userID)?.balance ?? 0 }

  func book(_ booking: LedgerBooking, now: Date) throws -> BookingResult {
    try writing { tables in
      let balance = tables.balances[RowKey(booking.userID)]?.balance ?? 0
      let (sum, overflows) = balance.addingReportingOverflow(booking.amount)
      let entry = { number in
        LedgerEntry(
          id: number, booking: booking, balanceAfter: sum, createdDate: now.inMilliseconds)
      }
      try tables.entries.keepUnique(entry(0))
      if overflows { return .outOfRange(balance: balance) }
      if sum < 0 { return .insufficient(balance: balance) }
      tables.balances[RowKey(booking.userID)] = CreditAccount(userID: booking.userID, balance: sum)
      return .booked(try tables.entries.append(entry))
    }
  }

  func entry(eventID: String, environment: AppStoreEnvironment?) throws -> LedgerEntry? {
    let key = IndexKey(.unique(.ledgerEvent), RowKey(environment, eventID))
    return try tables.entries.page(by: key).first
  }

  func entries(of userID: AccountID, skipping: Int, limit: Int) throws -> [LedgerEntry] {
    let entries = try tables.entries
    let numbers = entries.keys(by: IndexKey(.account, RowKey(userID))).dropLast(max(0, skipping))
    return entries.rows(at: numbers.suffix(max(0, limit))).reversed()
  }

  func count(of userID: AccountID) throws -> Int {
    try tables.entries.keys(by: IndexKey(.account, RowKey(userID))).count
  }
}

extension MemoryUnit: StarterClaimRepository {
  func find(identity: String) throws -> StarterClaim? { try tables.starterClaims[RowKey(identity)] }

  func mark(identity: String, userID: AccountID, transactionID: String, now: Date) throws -> Bool {
    try writing { tables in
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

extension MemoryUnit: CreditNotificationRepository {
  func record(_ notification: CreditNotification) throws -> Bool {
    try writing { $0.creditNotifications.add(notification) }
  }

  func find(uuid: String) throws -> CreditNotification? {
    try tables.creditNotifications[RowKey(uuid)]
  }
}

// Everything about purchases is doubtful.
extension MemoryUnit: LedgerAuditRepository {
  func entries(
    of userID: AccountID?, after place: LedgerPlace?, limit: Int
  ) throws -> [AuditedEntry] {
    let tables = try tables
    let users = userID.map { [$0] } ?? tables.balances.page().map(\.userID)
    var found: [LedgerEntry] = []
    for user in users where place.map({ $0.userID <= user }) ?? true {
      guard found.count < limit else { break }
      found += tables.entries.page(
        after: place.flatMap { $0.userID == user ? $0.id : nil },
        by: IndexKey(.account, RowKey(user)), limit: limit - found.count)
    }
    return found.map {
      AuditedEntry(
        id: $0.id, userID: $0.booking.userID, amount: $0.booking.amount,
        balanceAfter: $0.balanceAfter)
    }
  }

  func account(of userID: AccountID) throws -> CreditAccount? {
    try tables.balances[RowKey(userID)]
  }

  func accounts(
    after userID: AccountID?, through last: AccountID?, limit: Int
  ) throws -> [CreditAccount] {
    try tables.balances.page(after: userID.map { RowKey($0) }, limit: limit) { account in
      last.map { account.userID <= $0 } ?? true
    }
  }

  func examineEntries(
    of userID: AccountID?, after id: Int?, limit: Int
  ) throws -> ExaminedRows<LedgerAuditRow> {
    let user = IndexKey(.account, userID?.rawValue)
    let rows = try tables.entries.page(after: id, by: user, limit: limit)
    return ExaminedRows(
      count: rows.count, last: rows.last?.id,
      doubtful: rows.map { LedgerAuditRow($0) }.filter(\.isOfPurchase))
  }

  func examineTransactions(
    of userID: AccountID?, after id: Int?, limit: Int
  ) throws -> ExaminedRows<CreditTransaction> {
    let user = IndexKey(.account, userID?.rawValue)
    let rows = try tables.creditTransactions.page(after: id, by: user, limit: limit)
    return ExaminedRows(count: rows.count, last: rows.last?.id, doubtful: rows)
  }

  func entry(eventID: String, environment: AppStoreEnvironment) throws -> LedgerAuditRow? {
    let entry: LedgerEntry? = try entry(eventID: eventID, environment: .some(environment))
    return entry.map { LedgerAuditRow($0) }
  }

  func transaction(number id: Int) throws -> CreditTransaction? {
    try tables.creditTransactions[id]
  }

  func extent() throws -> LedgerExtent {
    let tables = try tables
    return LedgerExtent(
      entries: tables.entries.keys.count, transactions: tables.creditTransactions.keys.count)
  }
}

extension CreditTransaction: StoredRow {
  var stored: CreditTransaction {
    var row = inMilliseconds(\.purchase.purchaseDate).inMilliseconds(\.lastEventSignedDate)
    row.purchase.revocationDate = nil
    return row
  }
}

extension CreditPurchase {
  var indexKey: IndexKey {
    IndexKey(.unique(.creditTransaction), RowKey(environment, transactionID))
  }
}

extension LedgerBooking {
  var indexKey: IndexKey { IndexKey(.unique(.ledgerEvent), RowKey(environment, eventID)) }
}

extension CreditNotification: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(uuid) }
  var stored: CreditNotification {
    var row = inMilliseconds(\.signedDate, \.processedDate)
    if subtype?.utf8.isEmpty == true { row.subtype = nil }
    return row
  }
}
