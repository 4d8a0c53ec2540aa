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
  ) async throws -> AuditedEntries {
    guard limit > 0 else { return AuditedEntries([], doubtful: []) }
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
    var calls: [SQLCall] = []
    let entries = rows.map { row in
      var reader = SQLRowReader(row)
      let id = reader.number() ?? 0
      let entry = AuditedEntry(
        id: id, userID: AccountID(stored: reader.text()), amount: reader.number() ?? 0,
        balanceAfter: reader.number() ?? 0)
      if reader.flag() != true { calls.append(SQLCall(.auditEntryByNumber, [.number(id)])) }
      return entry
    }
    return AuditedEntries(
      entries, doubtful: try await session.query(calls).joined().map(LedgerAuditRow.init(row:)))
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
  ) async throws -> AuditedTransactions {
    guard limit > 0 else { return AuditedTransactions(count: 0, last: nil, doubtful: []) }
    let statements = AuditStatements.of(session.connection.dialect)
    let place = SQLValue.number(id ?? 0)
    let rows =
      if let userID {
        try await session.query(
          statements.transactionsOfUser, [.name(userID), place, .number(limit)])
      } else {
        try await session.query(statements.transactions, [place, .number(limit)])
      }
    let doubtful = rows.filter { $0.last?.flag != true }.compactMap(\.first)
    let answers = try await session.query(doubtful.map { SQLCall(.auditTransaction, [$0]) })
    return AuditedTransactions(
      count: rows.count, last: rows.last?.first?.number,
      doubtful: try answers.joined().map(CreditTransaction.init(row:)))
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
