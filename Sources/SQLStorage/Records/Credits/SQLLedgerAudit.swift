internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

/// The rows of an audit, which the database examines as far as it can.
///
/// Only rows that may be wrong are read as a whole.
struct SQLLedgerAudit: LedgerAuditRepository {
  let session: SQLSession

  private var examinations: LedgerExaminations { .of(session.connection.dialect) }

  func entries(
    of userID: AccountID?, after place: LedgerPlace?, limit: Int
  ) async throws -> [AuditedEntry] {
    guard limit > 0 else { return [] }
    let id = SQLValue.number(place?.id ?? 0)
    let rows =
      if let userID {
        try await session.query(.auditEntriesOfUser, [.name(userID), id, .number(limit)])
      } else {
        try await session.query(
          .auditEntries, [.text(place?.userID.rawValue ?? ""), id, .number(limit)])
      }
    return rows.map { row in
      var reader = SQLRowReader(row)
      return AuditedEntry(
        id: reader.number() ?? 0, userID: AccountID(stored: reader.text()),
        amount: reader.number() ?? 0, balanceAfter: reader.number() ?? 0)
    }
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
        try await session.query(.auditAccountsThrough, [first, .number(limit), .name(last)])
      } else {
        try await session.query(.auditAccounts, [first, .number(limit)])
      }
    return rows.map(CreditAccount.init(row:))
  }

  func examineEntries(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> ExaminedRows<LedgerAuditRow> {
    try await examine(
      userID == nil ? examinations.entries : examinations.entriesOfUser, of: userID, after: id,
      limit: limit, LedgerAuditRow.init(row:))
  }

  func examineTransactions(
    of userID: AccountID?, after id: Int?, limit: Int
  ) async throws -> ExaminedRows<CreditTransaction> {
    try await examine(
      userID == nil ? examinations.transactions : examinations.transactionsOfUser, of: userID,
      after: id, limit: limit, CreditTransaction.init(row:))
  }

  private func examine<Row>(
    _ statements: LedgerExaminations.Statements, of userID: AccountID?, after id: Int?,
    limit: Int, _ read: (SQLRow) throws -> Row
  ) async throws -> ExaminedRows<Row> {
    guard limit > 0 else { return ExaminedRows(count: 0, last: nil, doubtful: []) }
    let user = userID.map { [SQLValue.name($0)] } ?? []
    let first = SQLValue.number(id ?? 0)
    let found = try await session.query(statements.summary, [first, .number(limit)] + user)
    var summary = SQLRowReader(found.first ?? [])
    var examined = ExaminedRows<Row>(
      count: summary.number() ?? 0, last: summary.number(), doubtful: [])
    if let last = examined.last, summary.number() != 0 {
      examined.doubtful =
        try await session.query(statements.doubtful, [first, .number(last)] + user).map(read)
    }
    return examined
  }

  func entry(
    eventID: String, environment: AppStoreEnvironment
  ) async throws -> LedgerAuditRow? {
    try await session.query(
      .auditEntryByEvent, [.text(environment.rawValue), .text(eventID)]
    ).first.map(LedgerAuditRow.init(row:))
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
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(userID: AccountID(stored: reader.text()), balance: reader.number() ?? 0)
  }
}

extension LedgerAuditRow {
  /// Reads a row of ``LedgerExaminations/columns``.
  fileprivate init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      id: reader.number() ?? 0, userID: AccountID(stored: reader.text()),
      environment: reader.name().map(AppStoreEnvironment.init(rawValue:)),
      eventID: reader.text(), changeType: LedgerBooking.ChangeType(rawValue: reader.text()),
      subjectID: reader.text(), amount: reader.number() ?? 0, balanceAfter: reader.number() ?? 0)
  }
}
