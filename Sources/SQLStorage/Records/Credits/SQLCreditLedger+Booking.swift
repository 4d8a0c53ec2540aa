internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// One exchange with PostgreSQL, unless the balance can't change so.
extension SQLCreditLedger {
  func book(_ booking: LedgerBooking, now: Date) async throws -> BookingResult {
    let values: [SQLValue] = [
      .name(booking.userID), .number(booking.amount), .milliseconds(now),
      .text(booking.environment?.rawValue ?? ""), .text(booking.eventID),
      .text(booking.changeType.rawValue), .text(booking.subjectType), .text(booking.subjectID),
      .text(booking.storedMetadata),
    ]
    for _ in 0..<Self.lockingRounds {
      if let (id, balance) = try await change(by: booking.amount, values) {
        return .booked(
          LedgerEntry(
            id: id, booking: booking, balanceAfter: balance,
            createdDate: StoredMoment.inMilliseconds(now)))
      }
      if let refusal = try await refusal(of: booking) { return refusal }
      // The balance changed before it was locked.
    }
    throw StorageFailure.conflict
  }

  private static let lockingRounds = 4

  /// Changes the balance and adds the entry; returns the entry's number and the balance, or nil if
  /// nothing changed.
  private func change(by amount: Int, _ values: [SQLValue]) async throws -> (Int, Int)? {
    let statements = amount < 0 ? BookingStatements.subtracting : .adding
    switch session.connection.dialect {
    case .postgres:
      let rows = try await session.query(statements.whole, values)
      guard let row = rows.first else { return nil }
      return (row.first?.number ?? 0, row.last?.number ?? 0)
    case .sqlite:
      let balance = try await session.query(statements.account, Array(values.prefix(3)))
      guard let balance = balance.first?.first else { return nil }
      return try await addEntry(values, balance: balance)
    case .mariadb:
      if amount >= 0 {
        let sum = try await session.query(.addToAccount, Array(values.prefix(5)))
        guard let sum = sum.first?.first, sum != .null else { return nil }
        return try await addEntry(values, balance: sum)
      }
      let stored = try await session.query(session.choose(.creditBalance), [values[0]])
      guard let stored = stored.first?.first?.number else { return nil }
      let (sum, overflows) = stored.addingReportingOverflow(amount)
      guard !overflows, sum >= 0 else { return nil }
      try await session.run(.setBalance, [values[0], .number(sum), values[2]])
      return try await addEntry(values, balance: .number(sum))
    }
  }

  private func addEntry(_ values: [SQLValue], balance: SQLValue) async throws -> (Int, Int) {
    let rows = try await session.query(.addLedgerEntry, values + [balance])
    return (rows.first?.first?.number ?? 0, balance.number ?? 0)
  }

  /// The reason why the balance, which is locked, can't change so; nil if it can.
  private func refusal(of booking: LedgerBooking) async throws -> BookingResult? {
    let answers = try await session.query([
      SQLCall(session.choose(.creditBalance), [.name(booking.userID)]),
      SQLCall(
        .findLedgerEntry,
        [.text(booking.environment?.rawValue ?? ""), .text(booking.eventID)]),
    ])
    guard answers.last?.isEmpty ?? true else { throw StorageFailure.duplicate(.ledgerEvent) }
    let balance = answers.first?.first?.first?.number ?? 0
    let (sum, overflows) = balance.addingReportingOverflow(booking.amount)
    if overflows { return .outOfRange(balance: balance) }
    return sum < 0 ? .insufficient(balance: balance) : nil
  }
}

/// The statements of a booking; their parameters are the user, the amount, the moment, and the values of
/// the entry.
///
/// Every condition is computed within 64 bits, which SQLite would leave for numbers with a fraction.
private struct BookingStatements {
  /// Changes the account, and returns the balance.
  let account: SQLStatement
  /// Changes the account and adds the entry, and returns the number and the balance.
  let whole: SQLStatement

  private init(_ name: String, account sql: String) {
    account = SQLStatement("account_\(name)", sql)
    whole = SQLStatement(
      "ledger_\(name)",
      """
      WITH account AS (
      \(sql))
      INSERT INTO credit_ledger (\(SQLStatement.addedColumns))
      SELECT $1, $4, $5, $6, $7, $8, $2, balance, $9, $3 FROM account
      RETURNING id, balance_after
      """)
  }

  /// An amount of at least 0.
  static let adding = BookingStatements(
    "add",
    account: """
      INSERT INTO credit_account (user_id, balance, updated_at) VALUES ($1, $2, $3)
      ON CONFLICT (user_id) DO UPDATE SET
        balance = credit_account.balance + excluded.balance, updated_at = excluded.updated_at
      WHERE credit_account.balance <= 9223372036854775807 - excluded.balance
      RETURNING balance
      """)

  /// An amount below 0.
  static let subtracting = BookingStatements(
    "subtract",
    account: """
      UPDATE credit_account SET balance = balance + $2, updated_at = $3
      WHERE user_id = $1 AND balance + $2 >= 0
      RETURNING balance
      """)
}

extension SQLStatement {
  fileprivate static let addedColumns = """
    user_id, environment, event_id, change_type, biz_type, biz_id, amount, balance_after, metadata,
    created_at
    """

  /// For SQLite and MariaDB.
  fileprivate static let addLedgerEntry = SQLStatement(
    "ledger_insert",
    """
    INSERT INTO credit_ledger (\(addedColumns))
    VALUES ($1, $4, $5, $6, $7, $8, $2, $10, $9, $3)
    RETURNING id
    """)

  // For MariaDB: the balance afterwards; null if it would be out of range.
  // No account is opened for an event that is booked: of those who wait for an account whose opening is rolled back, all
  // but one are in a deadlock.
  fileprivate static let addToAccount = SQLStatement(
    "account_add",
    """
    INSERT INTO credit_account (user_id, balance, updated_at)
    SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS BIGINT) FROM DUAL
    WHERE (@fits := 1) = 1
      AND NOT EXISTS (SELECT 1 FROM credit_ledger WHERE environment = $4 AND event_id = $5)
    ON DUPLICATE KEY UPDATE
      updated_at = IF(
        @fits := (credit_account.balance <= 9223372036854775807 - VALUES(balance)),
        VALUES(updated_at), credit_account.updated_at),
      balance = credit_account.balance + IF(@fits, VALUES(balance), 0)
    RETURNING IF(@fits, balance, NULL)
    """)

  // MariaDB returns no row that it updates.
  fileprivate static let setBalance = SQLStatement(
    "account_set",
    "UPDATE credit_account SET balance = $2, updated_at = $3 WHERE user_id = $1")

  static func bookings(_ dialect: SQLDialect) -> [SQLStatement] {
    let statements = [BookingStatements.adding, .subtracting]
    switch dialect {
    case .postgres: return statements.map(\.whole)
    case .sqlite: return statements.map(\.account) + [addLedgerEntry]
    case .mariadb: return [addToAccount, setBalance, addLedgerEntry]
    }
  }
}
