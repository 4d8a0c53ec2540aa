internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

/// The rows of an audit, which the database examines as far as it can.
///
/// Only rows that may be wrong are read as a whole.
struct SQLLedgerAudit: LedgerAuditRepository {
  let session: SQLSession

  func entries(
    of userID: AccountID?, after place: LedgerPlace?, limit: Int
  ) async throws -> [AuditedEntry] {
    guard limit > 0 else { return [] }
    let statements = AuditStatements.of(session.connection.dialect)
    let id = place?.id ?? 0
    let rows =
      if let userID {
        try await session.query(
          statements.entriesOfUser, [.name(userID), .number(id), .number(limit)])
      } else {
        try await session.query(
          statements.entries,
          [.text(place?.userID.rawValue ?? ""), .number(id), .number(limit)])
      }
    var doubtful: [Int] = []
    var entries = rows.enumerated().map { index, row in
      var reader = SQLRowReader(row)
      let entry = AuditedEntry(
        id: reader.number() ?? 0, userID: AccountID(stored: reader.text()),
        amount: reader.number() ?? 0, balanceAfter: reader.number() ?? 0)
      if reader.flag() != true { doubtful.append(index) }
      return entry
    }
    let answers = try await session.query(
      doubtful.map { SQLCall(.auditEntryByNumber, [.number(entries[$0].id)]) })
    for (index, answer) in zip(doubtful, answers) {
      entries[index].doubtful = answer.first.map(LedgerAuditRow.init(row:))
    }
    return entries
  }

  func entry(
    eventID: String, environment: AppStoreEnvironment
  ) async throws -> LedgerAuditRow? {
    try await session.query(
      .auditEntryByEvent, [.text(environment.rawValue), .text(eventID)]
    ).first.map(LedgerAuditRow.init(row:))
  }

  func account(of userID: AccountID) async throws -> CreditAccount? {
    try await session.query(.auditAccount, [.name(userID)]).first.map(CreditAccount.init(row:))
  }

  func accounts(
    after userID: AccountID?, through last: AccountID?, limit: Int
  ) async throws -> [CreditAccount] {
    guard limit > 0 else { return [] }
    let first = SQLValue.text(userID?.rawValue ?? "")
    let rows =
      if let last {
        try await session.query(.auditAccounts, [first, .name(last), .number(limit)])
      } else {
        try await session.query(.walkAccounts, [first, .number(limit)])
      }
    return rows.map(CreditAccount.init(row:))
  }

  func transactions(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> [AuditedTransaction] {
    guard limit > 0 else { return [] }
    let statements = AuditStatements.of(session.connection.dialect)
    let place = SQLValue.number(id ?? 0)
    let rows =
      if let userID {
        try await session.query(
          statements.transactionsOfUser, [.name(userID), place, .number(limit)])
      } else {
        try await session.query(statements.transactions, [place, .number(limit)])
      }
    var transactions = rows.map { AuditedTransaction(id: $0.first?.number ?? 0) }
    let doubtful = rows.indices.filter { rows[$0].last?.flag != true }
    let answers = try await session.query(
      doubtful.map { SQLCall(.auditTransaction, [.number(transactions[$0].id)]) })
    for (index, answer) in zip(doubtful, answers) {
      transactions[index].doubtful = try answer.first.map(CreditTransaction.init(row:))
    }
    return transactions
  }

  func transaction(number id: Int) async throws -> CreditTransaction? {
    try await session.query(.auditTransaction, [.number(id)]).first
      .map(CreditTransaction.init(row:))
  }

  func extent() async throws -> LedgerExtent {
    let row = try await session.query(.auditExtent, []).first
    return LedgerExtent(
      entries: row?.first?.number ?? 0, transactions: row?.last?.number ?? 0)
  }
}

extension CreditAccount {
  /// Reads a user and a balance.
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(userID: AccountID(stored: reader.text()), balance: reader.number() ?? 0)
  }
}
