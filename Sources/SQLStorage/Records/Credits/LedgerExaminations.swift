internal import CreditPolicy
internal import ReceiptModels

/// The statements that examine entries and transactions.
///
/// Later rounds of refunds are rare, and so are refunds in several shares: both are left to the audit. The subqueries are scalar, so that no
/// database joins whole tables for a page.
struct LedgerExaminations {
  /// The statements about the rows of one table, in the order of their numbers; the last parameter is
  /// the user, if only the rows of one are examined.
  struct Statements {
    /// After a number (1), so many rows at most (2): their number, the number of the last one, and how
    /// many may be wrong.
    let summary: SQLStatement
    /// After a number (1), up to one (2): the rows that may be wrong.
    let doubtful: SQLStatement
  }

  let entries: Statements
  let entriesOfUser: Statements
  let transactions: Statements
  let transactionsOfUser: Statements

  static func of(_ dialect: SQLDialect) -> LedgerExaminations {
    switch dialect {
    case .sqlite: sqlite
    case .postgres: postgres
    case .mariadb: mariadb
    }
  }

  private static let sqlite = LedgerExaminations(
    transaction: "t.id = CAST(e.biz_id AS INTEGER) AND CAST(t.id AS TEXT) = e.biz_id")
  private static let postgres = LedgerExaminations(
    transaction: """
      t.id = CASE WHEN e.biz_id ~ '^[1-9][0-9]{0,17}$' THEN CAST(e.biz_id AS BIGINT) END
      """)

  private static let mariadb = LedgerExaminations(
    transaction: """
      t.id = CASE WHEN e.biz_id REGEXP '^[1-9][0-9]{0,17}$' THEN CAST(e.biz_id AS BIGINT) END
      """)

  /// Creates the statements; `transaction` is the condition that an entry `e` is about a transaction `t`.
  private init(transaction: String) {
    let (entry, isRight) = ("credit_ledger e", Self.isEntryRight(transaction: transaction))
    entries = Self.statements("entries", entry, "e", Self.columns, isRight)
    entriesOfUser = Self.statements(
      "entries_of_user", entry, "e", Self.columns, isRight, user: "e.user_id")
    let (row, columns) = ("apple_iap_transactions t", SQLStatement.creditTransactionColumns)
    transactions = Self.statements(
      "transactions", row, "t", columns, Self.isTransactionRight(entry: ""))
    transactionsOfUser = Self.statements(
      "transactions_of_user", row, "t", columns,
      Self.isTransactionRight(entry: " AND e.user_id = t.user_id"), user: "t.user_id")
  }

  private static func statements(
    _ name: String, _ table: String, _ row: String, _ columns: String, _ isRight: String,
    user: String? = nil
  ) -> Statements {
    let isOfUser = user.map { " AND \($0) = $3" } ?? ""
    return Statements(
      summary: SQLStatement(
        "examine_\(name)",
        """
        SELECT COUNT(*), MAX(page.id), 
          CAST(COUNT(*) - COALESCE(SUM(page.is_right), 0) AS BIGINT)
        FROM (
          SELECT \(row).id AS id, \(isRight) AS is_right
          FROM \(table) WHERE \(row).id > $1\(isOfUser) ORDER BY \(row).id LIMIT $2) AS page
        """),
      doubtful: SQLStatement(
        "doubtful_\(name)",
        """
        SELECT \(columns) FROM \(table)
        WHERE \(row).id > $1 AND \(row).id <= $2\(isOfUser) AND \(isRight) = 0 ORDER BY \(row).id
        """))
  }

  /// The columns of ``/PurchaseStorage/LedgerAuditRow``.
  static let columns =
    "id, user_id, environment, event_id, change_type, biz_id, amount, balance_after"

  private static let kinds = LedgerBooking.ChangeType.allCases
    .map { "'\($0.rawValue)'" }.joined(separator: ", ")
  private static let purchase = event { LedgerEventID.purchase($0) }
  private static let refund = event { LedgerEventID.refund($0, round: 1) }
  private static let reversal = event { LedgerEventID.refundReversal($0, round: 1) }

  /// The event of a transaction `t`, whose identifier tells the store.
  private static func event(_ name: (String) -> String) -> String {
    let google = TransactionIDs.google("")
    return """
      CASE WHEN SUBSTR(t.transaction_id, 1, \(google.utf8.count)) = '\(google)'
        THEN '\(name(google))' || SUBSTR(t.transaction_id, \(google.utf8.count + 1))
        ELSE '\(name(""))' || t.transaction_id END
      """
  }

  /// Whether an entry `e` is one that its transaction `t` demands.
  private static let isAsDemanded = """
    t.environment = e.environment AND t.user_id = e.user_id
      AND t.status IN ('granted', 'refunded')
      AND (e.change_type = 'purchase' AND e.event_id = \(purchase) AND e.amount = t.credits
        OR e.change_type = 'refund' AND e.event_id = \(refund)
          AND (t.refund_round > 0 OR t.status = 'refunded')
          AND CASE WHEN t.credits >= 0 AND e.amount <= 0
            THEN e.amount + t.credits >= 0 ELSE FALSE END
        OR e.change_type = 'refund_reversal' AND e.event_id = \(reversal)
          AND t.refund_round > 0
          AND (SELECT s.id FROM credit_ledger s
            WHERE s.environment = e.environment AND s.event_id = (\(refund)) || ':1.2') IS NULL
          AND e.amount = (
            SELECT CASE WHEN r.amount > \(Int.min) THEN -r.amount END FROM credit_ledger r
            WHERE r.environment = e.environment AND r.event_id = \(refund)))
    """

  /// Whether an entry `e` is as it has to be.
  private static func isEntryRight(transaction: String) -> String {
    """
    CASE WHEN e.environment = '' AND e.change_type NOT IN (\(kinds)) THEN 1
      ELSE COALESCE((
        SELECT CASE WHEN \(isAsDemanded) THEN 1 ELSE 0 END
        FROM apple_iap_transactions t WHERE \(transaction)), 0) END
    """
  }

  /// Whether the ledger has the entries that a transaction `t` demands; the condition is one more that
  /// each entry `e` has to meet.
  private static func isTransactionRight(entry condition: String) -> String {
    func hasEntry(_ eventID: String) -> String {
      """
      (SELECT e.id FROM credit_ledger e
            WHERE e.environment = t.environment AND e.event_id = \(eventID)\(condition))
            IS NOT NULL
      """
    }
    return """
      CASE WHEN t.status IN ('revoked_pending', 'open') THEN 1
        WHEN t.status IN ('granted', 'refunded') AND t.refund_round = 0
          AND t.user_id IS NOT NULL AND t.credits IS NOT NULL
          AND t.ledger_event_id = \(purchase)
          AND \(hasEntry(purchase))
          AND (t.status = 'granted' OR \(hasEntry(refund)))
        THEN 1 ELSE 0 END
      """
  }
}

extension SQLStatement {
  // The user is compared by itself, because MariaDB looks no pair up by an index.
  static let auditEntries = SQLStatement(
    "audit_entries",
    """
    SELECT id, user_id, amount, balance_after FROM credit_ledger
    WHERE user_id >= $1 AND (user_id, id) > ($1, $2) ORDER BY user_id, id LIMIT $3
    """)

  static let auditEntriesOfUser = SQLStatement(
    "audit_entries_of_user",
    """
    SELECT id, user_id, amount, balance_after FROM credit_ledger
    WHERE user_id = $1 AND id > $2 ORDER BY id LIMIT $3
    """)

  static let auditEntryByEvent = SQLStatement(
    "audit_entry_of_event",
    """
    SELECT \(LedgerExaminations.columns) FROM credit_ledger
    WHERE environment = $1 AND event_id = $2
    """)

  static let auditAccount = SQLStatement(
    "audit_account", "SELECT user_id, balance FROM credit_account WHERE user_id = $1")

  static let auditAccounts = SQLStatement(
    "audit_accounts",
    "SELECT user_id, balance FROM credit_account WHERE user_id > $1 ORDER BY user_id LIMIT $2")

  static let auditAccountsThrough = SQLStatement(
    "audit_accounts_through",
    """
    SELECT user_id, balance FROM credit_account
    WHERE user_id > $1 AND user_id <= $3 ORDER BY user_id LIMIT $2
    """)

  static let auditTransaction = SQLStatement(
    "audit_transaction", "\(selectCreditTransaction) WHERE id = $1")

  static let auditExtent = SQLStatement(
    "audit_extent",
    """
    SELECT (SELECT MAX(id) FROM credit_ledger), (SELECT MAX(id) FROM apple_iap_transactions)
    """)

  static func audits(_ dialect: SQLDialect) -> [SQLStatement] {
    let all = LedgerExaminations.of(dialect)
    let examinations = [all.entries, all.entriesOfUser, all.transactions, all.transactionsOfUser]
    return examinations.flatMap { [$0.summary, $0.doubtful] } + [
      auditEntries, auditEntriesOfUser, auditEntryByEvent, auditAccount, auditAccounts,
      auditAccountsThrough, auditTransaction, auditExtent,
    ]
  }
}
