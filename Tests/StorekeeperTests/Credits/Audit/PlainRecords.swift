import CreditPolicy
import PurchaseStorage
import ReceiptModels

/// Records whose audit examines nothing itself, so that every row is doubtful.
struct PlainRecords: CreditRecords {
  let base: any CreditRecords

  var creditTransactions: any CreditTransactionRepository { base.creditTransactions }
  var creditLedger: any CreditLedgerRepository { base.creditLedger }
  var starterClaims: any StarterClaimRepository { base.starterClaims }
  var creditNotifications: any CreditNotificationRepository { base.creditNotifications }
  var ledgerAudit: any LedgerAuditRepository { PlainAudit(records: base) }
}

private struct PlainAudit: LedgerAuditRepository {
  let records: any CreditRecords

  func entries(
    of userID: AccountID?, after place: LedgerPlace?, limit: Int
  ) async throws -> [AuditedEntry] {
    try await records.ledgerAudit.entries(of: userID, after: place, limit: limit)
  }

  func account(of userID: AccountID) async throws -> CreditAccount? {
    try await records.ledgerAudit.account(of: userID)
  }

  func accounts(
    after userID: AccountID?, through last: AccountID?, limit: Int
  ) async throws -> [CreditAccount] {
    try await records.ledgerAudit.accounts(after: userID, through: last, limit: limit)
  }

  func examineEntries(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> ExaminedRows<LedgerAuditRow> {
    let all = try await records.ledgerAudit.entries(of: userID, after: nil, limit: 1000)
    var rows: [LedgerAuditRow] = []
    for user in Set(all.map(\.userID)) {
      rows += try await records.creditLedger.entries(of: user, skipping: 0, limit: 1000)
        .map(LedgerAuditRow.init)
    }
    rows = rows.filter { $0.id > id ?? 0 }.sorted { $0.id < $1.id }.prefix(limit) + []
    return ExaminedRows(
      count: rows.count, last: rows.last?.id, doubtful: rows.filter(\.isOfPurchase))
  }

  func examineTransactions(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> ExaminedRows<CreditTransaction> {
    let transactions = records.creditTransactions
    let rows =
      if let userID {
        try await transactions.transactions(of: userID, after: id, limit: limit)
      } else {
        try await transactions.transactions(after: id, limit: limit)
      }
    return ExaminedRows(count: rows.count, last: rows.last?.id, doubtful: rows)
  }

  func entry(
    eventID: String, environment: AppStoreEnvironment
  ) async throws -> LedgerAuditRow? {
    try await records.ledgerAudit.entry(eventID: eventID, environment: environment)
  }

  func transaction(number id: Int) async throws -> CreditTransaction? {
    try await records.ledgerAudit.transaction(number: id)
  }

  func extent() -> LedgerExtent { LedgerExtent() }
}
