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
      let users = userID.map { [$0] } ?? tables.balances.page().map(\.userID)
      var found: [AuditedEntry] = []
      for user in users where place.map({ $0.userID <= user }) ?? true {
        guard found.count < limit else { break }
        let entries = tables.entries.page(
          after: place.flatMap { $0.userID == user ? $0.id : nil },
          by: IndexKey(.account, RowKey(user)), limit: limit - found.count)
        found += entries.map { entry in
          AuditedEntry(
            id: entry.id, userID: user, amount: entry.booking.amount,
            balanceAfter: entry.balanceAfter)
        }
      }
      return found
    }
  }

  func account(of userID: AccountID) throws -> CreditAccount? {
    try unit.reading { $0.balances[RowKey(userID)] }
  }

  func accounts(
    after userID: AccountID?, through last: AccountID?, limit: Int
  ) throws -> [CreditAccount] {
    try unit.reading { tables in
      tables.balances.page(after: userID.map { RowKey($0) }, limit: limit) { account in
        last.map { account.userID <= $0 } ?? true
      }
    }
  }

  func examineEntries(
    of userID: AccountID?, after id: Int?, limit: Int
  ) throws -> ExaminedRows<LedgerAuditRow> {
    try unit.reading { tables in
      let rows = tables.entries.page(
        after: id, by: IndexKey(.account, userID?.rawValue), limit: limit
      ).map { LedgerAuditRow($0) }
      return ExaminedRows(
        count: rows.count, last: rows.last?.id, doubtful: rows.filter(\.isOfPurchase))
    }
  }

  func examineTransactions(
    of userID: AccountID?, after id: Int?, limit: Int
  ) throws -> ExaminedRows<CreditTransaction> {
    try unit.reading { tables in
      let rows = tables.creditTransactions.page(
        after: id, by: IndexKey(.account, userID?.rawValue), limit: limit)
      return ExaminedRows(count: rows.count, last: rows.last?.id, doubtful: rows)
    }
  }

  func entry(eventID: String, environment: AppStoreEnvironment) throws -> LedgerAuditRow? {
    try MemoryCreditLedger(unit: unit).entry(eventID: eventID, environment: environment)
      .map { LedgerAuditRow($0) }
  }

  func transaction(number id: Int) throws -> CreditTransaction? {
    try unit.reading { $0.creditTransactions[id] }
  }

  func extent() throws -> LedgerExtent {
    try unit.reading { tables in
      LedgerExtent(
        entries: tables.entries.keys.count, transactions: tables.creditTransactions.keys.count)
    }
  }
}
