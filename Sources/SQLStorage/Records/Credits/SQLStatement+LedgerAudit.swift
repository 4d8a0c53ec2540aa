internal import CreditPolicy

/// The statements that examine entries and transactions; the last column of each is 1 for a row that is
/// as it has to be, and 0 for one that may be wrong.
///
/// Later rounds of refunds are rare, so they are left to the audit. The subqueries are scalar, so that no
/// database joins whole tables for a page.
struct AuditStatements {
  let entries: SQLStatement
  let entriesOfUser: SQLStatement
  let transactions: SQLStatement
  let transactionsOfUser: SQLStatement

  static func of(_ dialect: SQLDialect) -> AuditStatements {
    dialect == .postgres ? postgres : sqlite
  }

  private static let sqlite = AuditStatements(
    transaction: "t.id = CAST(e.biz_id AS INTEGER) AND CAST(t.id AS TEXT) = e.biz_id")
  private static let postgres = AuditStatements(
    transaction: """
      t.id = CASE WHEN e.biz_id ~ '^[1-9][0-9]{0,17}$' THEN CAST(e.biz_id AS BIGINT) END
      """)

  /// Creates the statements.
  ///
  /// - Parameter transaction: The condition that an entry `e` is about a transaction `t`.
  private init(transaction: String) {
    let select = """
      SELECT e.id, e.user_id, e.amount, e.balance_after,
        CASE WHEN e.environment = '' AND e.change_type NOT IN (\(Self.kinds)) THEN 1
          ELSE COALESCE((
            SELECT CASE WHEN \(Self.isAsDemanded) THEN 1 ELSE 0 END
            FROM apple_iap_transactions t WHERE \(transaction)), 0) END
      FROM credit_ledger e
      """
    entries = SQLStatement(
      "audit_entries",
      "\(select) WHERE (e.user_id, e.id) > ($1, $2) ORDER BY e.user_id, e.id LIMIT $3")
    entriesOfUser = SQLStatement(
      "audit_entries_of_user",
      "\(select) WHERE e.user_id = $1 AND e.id > $2 ORDER BY e.id LIMIT $3")
    transactions = SQLStatement(
      "audit_transactions",
      "\(Self.selectTransactions(entry: "")) WHERE t.id > $1 ORDER BY t.id LIMIT $2")
    transactionsOfUser = SQLStatement(
      "audit_transactions_of_user",
      """
      \(Self.selectTransactions(entry: " AND e.user_id = t.user_id"))
      WHERE t.user_id = $1 AND t.id > $2 ORDER BY t.id LIMIT $3
      """)
  }

  private static let kinds = LedgerBooking.ChangeType.allCases
    .map { "'\($0.rawValue)'" }.joined(separator: ", ")
  private static let purchase = "'\(LedgerEventID.purchase(""))' || t.transaction_id"
  private static let refund = "'\(LedgerEventID.refund("", round: 1))' || t.transaction_id"
  private static let reversal =
    "'\(LedgerEventID.refundReversal("", round: 1))' || t.transaction_id"

  /// Whether an entry `e` is one that its transaction `t` demands.
  private static let isAsDemanded = """
    t.environment = e.environment AND t.user_id = e.user_id
      AND t.status IN ('granted', 'refunded')
      AND (e.change_type = 'purchase' AND e.event_id = \(purchase) AND e.amount = t.credits
        OR e.change_type = 'refund' AND e.event_id = \(refund)
          AND (t.refund_round > 0 OR t.status = 'refunded')
          AND e.amount <= 0 AND e.amount >= -t.credits
        OR e.change_type = 'refund_reversal' AND e.event_id = \(reversal)
          AND t.refund_round > 0
          AND e.amount = (
            SELECT -r.amount FROM credit_ledger r
            WHERE r.environment = e.environment AND r.event_id = \(refund)))
    """

  /// The numbers of transactions `t`, and whether the ledger has the entries that they demand.
  private static func selectTransactions(entry condition: String) -> String {
    func hasEntry(_ eventID: String) -> String {
      """
      (SELECT e.id FROM credit_ledger e
              WHERE e.environment = t.environment AND e.event_id = \(eventID)\(condition))
              IS NOT NULL
      """
    }
    return """
      SELECT t.id,
        CASE WHEN t.status IN ('revoked_pending', 'open') THEN 1
          WHEN t.status IN ('granted', 'refunded') AND t.refund_round = 0
            AND t.user_id IS NOT NULL AND t.credits IS NOT NULL
            AND t.ledger_event_id = \(purchase)
            AND \(hasEntry(purchase))
            AND (t.status = 'granted' OR \(hasEntry(refund)))
          THEN 1 ELSE 0 END
      FROM apple_iap_transactions t
      """
  }
}

extension SQLStatement {
  static let auditEntryByNumber = SQLStatement(
    "audit_entry", "SELECT \(auditColumns) FROM credit_ledger WHERE id = $1")

  static let auditEntryByEvent = SQLStatement(
    "audit_entry_of_event",
    "SELECT \(auditColumns) FROM credit_ledger WHERE environment = $1 AND event_id = $2")

  static let auditAccount = SQLStatement(
    "audit_account", "SELECT user_id, balance FROM credit_account WHERE user_id = $1")

  static let auditAccounts = SQLStatement(
    "audit_accounts",
    """
    SELECT user_id, balance FROM credit_account
    WHERE user_id > $1 AND user_id <= $2 ORDER BY user_id LIMIT $3
    """)

  static let auditTransaction = SQLStatement(
    "audit_transaction", "\(selectCreditTransaction) WHERE id = $1")

  static let auditExtent = SQLStatement(
    "audit_extent",
    """
    SELECT (SELECT MAX(id) FROM credit_ledger), (SELECT MAX(id) FROM apple_iap_transactions)
    """)

  /// The statements of audits.
  static func audits(_ dialect: SQLDialect) -> [SQLStatement] {
    let examining = AuditStatements.of(dialect)
    return [
      examining.entries, examining.entriesOfUser, examining.transactions,
      examining.transactionsOfUser, auditEntryByNumber, auditEntryByEvent, auditAccount,
      auditAccounts, auditTransaction, auditExtent,
    ]
  }
}
