internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

/// The rows of an audit, in memory; everything about purchases is doubtful.
struct MemoryLedgerAudit: LedgerAuditRepository {
  let unit: MemoryUnit

  func entries(
    of userID: AccountID?, after place: LedgerPlace?, limit: Int
  ) throws -> [AuditedEntry] {
    try unit.reading { tables in
      let users = userID.map { [$0] } ?? tables.credits.entriesOfUsers.keys.sorted()
      var found: [AuditedEntry] = []
      for user in users where place.map({ $0.userID <= user }) ?? true {
        let first = place.map { $0.userID == user ? $0.id : 0 } ?? 0
        let numbers = (tables.credits.entriesOfUsers[user] ?? []).drop { $0 <= first }
        found += numbers.prefix(max(0, limit - found.count)).map { number in
          let entry = tables.credits.entries[number - 1]
          return AuditedEntry(
            id: number, userID: user, amount: entry.booking.amount,
            balanceAfter: entry.balanceAfter)
        }
        if found.count >= limit { break }
      }
      return found
    }
  }

  func account(of userID: AccountID) throws -> CreditAccount? {
    try unit.reading { tables in
      tables.credits.balances[userID].map { CreditAccount(userID: userID, balance: $0) }
    }
  }

  func accounts(
    after userID: AccountID?, through last: AccountID?, limit: Int
  ) throws -> [CreditAccount] {
    try unit.reading { tables in
      let users = tables.credits.balances.keys.filter { user in
        userID.map { $0 < user } ?? true && last.map { user <= $0 } ?? true
      }
      return users.sorted().prefix(max(0, limit)).map {
        CreditAccount(userID: $0, balance: tables.credits.balances[$0] ?? 0)
      }
    }
  }

  func examineEntries(
    of userID: AccountID?, after id: Int?, limit: Int
  ) throws -> ExaminedRows<LedgerAuditRow> {
    try unit.reading { tables in
      let later = tables.credits.entries.dropFirst(max(0, id ?? 0)).lazy.filter { entry in
        userID.map { entry.booking.userID == $0 } ?? true
      }
      let rows = later.prefix(max(0, limit)).map(LedgerAuditRow.init) as [LedgerAuditRow]
      return ExaminedRows(
        count: rows.count, last: rows.last?.id, doubtful: rows.filter(\.isOfPurchase))
    }
  }

  func examineTransactions(
    of userID: AccountID?, after id: Int?, limit: Int
  ) throws -> ExaminedRows<CreditTransaction> {
    let transactions = MemoryCreditTransactions(unit: unit)
    let rows =
      if let userID {
        try transactions.transactions(of: userID, after: id, limit: limit)
      } else {
        try transactions.transactions(after: id, limit: limit)
      }
    return ExaminedRows(count: rows.count, last: rows.last?.id, doubtful: rows)
  }

  func entry(eventID: String, environment: AppStoreEnvironment) throws -> LedgerAuditRow? {
    try MemoryCreditLedger(unit: unit).entry(eventID: eventID, environment: environment)
      .map(LedgerAuditRow.init)
  }

  func transaction(number id: Int) throws -> CreditTransaction? {
    try unit.reading { tables in
      tables.credits.transactions.indices.contains(id - 1)
        ? tables.credits.transactions[id - 1] : nil
    }
  }

  func extent() throws -> LedgerExtent {
    try unit.reading { tables in
      LedgerExtent(
        entries: tables.credits.entries.count, transactions: tables.credits.transactions.count)
    }
  }
}
