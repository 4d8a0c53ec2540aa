internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLCreditLedger: CreditLedgerRepository {
  let session: SQLSession

  func balance(of userID: AccountID) async throws -> Int {
    guard StoredText.fits(userID.rawValue, .accountID) else { return 0 }
    return try await session.query(session.choose(.creditBalance), [.name(userID)])
      .first?.first?.number ?? 0
  }

  func entry(
    eventID: String, environment: AppStoreEnvironment?
  ) async throws -> LedgerEntry? {
    guard StoredText.fits(eventID, .word),
      environment.map({ StoredText.fits($0.rawValue, .kind) }) ?? true
    else { return nil }
    return try await session.query(
      .findLedgerEntry, [.text(environment?.rawValue ?? ""), .text(eventID)]
    ).first.map(LedgerEntry.init(row:))
  }

  func entries(of userID: AccountID, skipping: Int, limit: Int) async throws -> [LedgerEntry] {
    guard limit > 0, StoredText.fits(userID.rawValue, .accountID) else { return [] }
    return try await session.query(
      .ledgerOfUser, [.name(userID), .number(limit), .number(max(0, skipping))]
    ).map(LedgerEntry.init(row:))
  }

  func count(of userID: AccountID) async throws -> Int {
    guard StoredText.fits(userID.rawValue, .accountID) else { return 0 }
    return try await session.query(.countLedger, [.name(userID)]).first?.first?.number ?? 0
  }

  func entries(after place: LedgerPlace?, limit: Int) async throws -> [LedgerEntry] {
    try await rows(.walkLedger, after: place, limit: limit).map(LedgerEntry.init(row:))
  }

  func auditRows(after place: LedgerPlace?, limit: Int) async throws -> [LedgerAuditRow] {
    try await rows(.auditLedger, after: place, limit: limit).map(LedgerAuditRow.init(row:))
  }

  func accounts(after userID: AccountID?, limit: Int) async throws -> [CreditAccount] {
    guard limit > 0 else { return [] }
    return try await session.query(
      .walkAccounts, [.text(userID?.rawValue ?? ""), .number(limit)]
    ).map { row in
      var reader = SQLRowReader(row)
      return CreditAccount(
        userID: AccountID(stored: reader.text()), balance: reader.number() ?? 0)
    }
  }

  private func rows(
    _ statement: SQLStatement, after place: LedgerPlace?, limit: Int
  ) async throws -> [SQLRow] {
    guard limit > 0 else { return [] }
    return try await session.query(
      statement, [.text(place?.userID.rawValue ?? ""), .number(place?.id ?? 0), .number(limit)])
  }
}

extension LedgerEntry {
  /// Reads a row of ``SQLStatement/ledgerColumns``.
  fileprivate init(row: SQLRow) throws {
    var reader = SQLRowReader(row)
    let id = reader.number() ?? 0
    var booking = LedgerBooking(
      userID: AccountID(stored: reader.text()),
      environment: reader.name().map(AppStoreEnvironment.init(rawValue:)),
      eventID: reader.text(),
      changeType: LedgerBooking.ChangeType(rawValue: reader.text()),
      bizType: reader.text(), bizID: reader.text(), amount: reader.number() ?? 0)
    let balanceAfter = reader.number() ?? 0
    booking.metadata = try LedgerBooking.metadata(stored: reader.text())
    self.init(
      id: id, booking: booking, balanceAfter: balanceAfter,
      createdDate: reader.milliseconds() ?? StoredMoment.date(seconds: 0))
  }
}

extension LedgerAuditRow {
  /// Reads a row of ``SQLStatement/auditLedger``.
  init(row: SQLRow) {
    var reader = SQLRowReader(row)
    self.init(
      id: reader.number() ?? 0, userID: AccountID(stored: reader.text()),
      environment: reader.name().map(AppStoreEnvironment.init(rawValue:)),
      eventID: reader.text(), changeType: LedgerBooking.ChangeType(rawValue: reader.text()),
      bizID: reader.text(), amount: reader.number() ?? 0, balanceAfter: reader.number() ?? 0)
  }
}

extension SQLStatement {
  private static let ledgerColumns = """
    id, user_id, environment, event_id, change_type, biz_type, biz_id, amount, balance_after,
    metadata, created_at
    """

  static let findLedgerEntry = SQLStatement(
    "ledger_find",
    "SELECT \(ledgerColumns) FROM credit_ledger WHERE environment = $1 AND event_id = $2")

  static let ledgerOfUser = SQLStatement(
    "ledger_of_user",
    """
    SELECT \(ledgerColumns) FROM credit_ledger
    WHERE user_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3
    """)

  static let countLedger = SQLStatement(
    "ledger_count", "SELECT COUNT(*) FROM credit_ledger WHERE user_id = $1")

  static let walkLedger = SQLStatement(
    "ledger_walk",
    """
    SELECT \(ledgerColumns) FROM credit_ledger
    WHERE (user_id, id) > ($1, $2) ORDER BY user_id, id LIMIT $3
    """)

  /// The columns of ``/PurchaseStorage/LedgerAuditRow``.
  static let auditColumns =
    "id, user_id, environment, event_id, change_type, biz_id, amount, balance_after"

  static let auditLedger = SQLStatement(
    "ledger_audit",
    """
    SELECT \(auditColumns)
    FROM credit_ledger WHERE (user_id, id) > ($1, $2) ORDER BY user_id, id LIMIT $3
    """)

  static let walkAccounts = SQLStatement(
    "account_walk",
    "SELECT user_id, balance FROM credit_account WHERE user_id > $1 ORDER BY user_id LIMIT $2")
}

extension LockableStatement {
  static let creditBalance = LockableStatement(
    "account_balance", "SELECT balance FROM credit_account WHERE user_id = $1",
    lock: "FOR UPDATE")
}
