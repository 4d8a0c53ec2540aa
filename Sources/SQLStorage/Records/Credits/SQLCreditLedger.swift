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
    try await session.query(session.choose(.creditBalance), [.name(userID)])
      .first?.first?.number ?? 0
  }

  func entry(
    eventID: String, environment: AppStoreEnvironment?
  ) async throws -> LedgerEntry? {
    try await session.query(
      .findLedgerEntry, [.text(environment?.rawValue ?? ""), .text(eventID)]
    ).first.map(LedgerEntry.init(row:))
  }

  func entries(of userID: AccountID, skipping: Int, limit: Int) async throws -> [LedgerEntry] {
    guard limit > 0 else { return [] }
    return try await session.query(
      .ledgerOfUser, [.name(userID), .number(limit), .number(max(0, skipping))]
    ).map(LedgerEntry.init(row:))
  }

  func count(of userID: AccountID) async throws -> Int {
    try await session.query(.countLedger, [.name(userID)]).first?.first?.number ?? 0
  }
}

extension LedgerEntry {
  fileprivate init(row: SQLRow) throws {
    var reader = SQLRowReader(row)
    let id = reader.number() ?? 0
    var booking = LedgerBooking(
      userID: AccountID(stored: reader.text()),
      environment: reader.name().map(AppStoreEnvironment.init(rawValue:)),
      eventID: reader.text(),
      changeType: LedgerBooking.ChangeType(rawValue: reader.text()),
      subjectType: reader.text(), subjectID: reader.text(), amount: reader.number() ?? 0)
    let balanceAfter = reader.number() ?? 0
    booking.metadata = try LedgerBooking.metadata(stored: reader.text())
    self.init(
      id: id, booking: booking, balanceAfter: balanceAfter,
      createdDate: reader.milliseconds() ?? StoredMoment.date(seconds: 0))
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
}

extension LockableStatement {
  static let creditBalance = LockableStatement(
    "account_balance", "SELECT balance FROM credit_account WHERE user_id = $1",
    lock: "FOR UPDATE")
}
