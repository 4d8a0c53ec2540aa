// Messages that are free have no wake_utc, so those that are leased or in back-off are never read. Messages of lines
// have one that never comes: an earlier version of this code, which knows no lines, passes over them.
extension LockableStatement {
  static let wakeMessages = LockableStatement(
    "outbox_wake", .update("outbox", set: "wake_utc = NULL"), where: "id",
    in: """
      SELECT id FROM outbox WHERE sent_utc IS NULL AND wake_utc <= $1
      ORDER BY wake_utc LIMIT \(SQLSession.wakeLimit)
      """, lock: "FOR UPDATE SKIP LOCKED")

  // The end of a lease goes before the next try, so a message of nobody's with such an end is free, and keeps its next
  // try.
  static let hastenLine = LockableStatement(
    "outbox_hasten_of_line", .update("outbox", set: "lease_until_utc = 0"), where: "id",
    in: """
      SELECT id FROM outbox
      WHERE kind = $1 AND \(SQLStatement.isOfLine)
        AND sent_utc IS NULL AND parked_utc IS NULL AND lease_until_utc IS NULL AND next_try_utc > $2
      ORDER BY failures, id LIMIT $3
      """, lock: "FOR UPDATE")

  static let discardLine = LockableStatement(
    "outbox_discard_line", .delete(from: "outbox"), where: "id",
    in: """
      SELECT id FROM outbox
      WHERE kind = $1 AND \(SQLStatement.isOfLine) AND sent_utc IS NULL AND parked_utc IS NULL
      ORDER BY id LIMIT $2
      """, lock: "FOR UPDATE")

  static let discardParkedLine = LockableStatement(
    plain: discardParked("parked_utc IS NOT NULL AND sent_utc IS NULL").plain,
    locking: SQLStatement(
      "outbox_discard_parked_locking",
      discardParked("parked_utc IS NOT NULL AND sent_utc IS NULL").locking.sql,
      mariadb: discardParked("is_parked = 1").locking.text(.mariadb)))

  private static func discardParked(_ isParked: String) -> LockableStatement {
    LockableStatement(
      "outbox_discard_parked", .delete(from: "outbox"), where: "id",
      in: """
        SELECT id FROM outbox WHERE \(isParked) AND kind = $1 AND parked_utc < $2
        ORDER BY id LIMIT $3
        """, lock: "FOR UPDATE")
  }

  static let removeSent = LockableStatement(
    "outbox_remove", .delete(from: "outbox"), where: "id",
    in: "SELECT id FROM outbox WHERE sent_utc < $1 ORDER BY sent_utc, id LIMIT $2",
    lock: "FOR UPDATE SKIP LOCKED")
}

extension SQLStatement {
  // The columns of a message, in the order in which they are read.
  private static let message = """
    id, kind, ftc_user_id, union_id, original_transaction_id, tier, expire_date, already_expired,
    reference, deadline_ms, body, created_utc, failures
    """

  /// The messages that are free, except those of the kinds in a JSON array.
  static func dueMessages(_ dialect: SQLDialect) -> SQLStatement {
    switch dialect {
    case .sqlite: sqliteDueMessages
    case .postgres: postgresDueMessages
    case .mariadb: mariadbDueMessages
    }
  }

  private static let sqliteDueMessages = SQLStatement(
    "outbox_due", due("SELECT value FROM \(SQLTextList.table("$3", .sqlite))"))
  private static let mariadbDueMessages = SQLStatement(
    "outbox_due_locking",
    due("SELECT value FROM \(SQLTextList.table("$3", .mariadb))") + "\nFOR UPDATE SKIP LOCKED")
  private static let postgresDueMessages = SQLStatement(
    "outbox_due_locking",
    due("SELECT jsonb_array_elements_text(CAST($3 AS JSONB))") + "\nFOR UPDATE SKIP LOCKED")

  private static func due(_ others: String) -> String {
    """
    SELECT \(message), next_try_utc FROM outbox
    WHERE sent_utc IS NULL AND wake_utc IS NULL AND parked_utc IS NULL
      AND (lease_until_utc IS NULL OR lease_until_utc <= $1)
      AND (next_try_utc IS NULL OR next_try_utc <= $1)
      AND NOT \(isOfLine)
      AND kind NOT IN (\(others))
    ORDER BY id LIMIT $2
    """
  }

  /// The messages of a line that are free, except those of accounts of which one is not.
  ///
  /// No row is locked: whoever leases of a line holds its reader, and whoever has a lease, or had one, changes its message
  /// by its number. MariaDB locks an index before the row, so that a locking read and such a change would be a deadlock.
  static let dueLine = SQLStatement("outbox_line", line(), mariadb: line(never))

  /// The messages of a line that wait under a token.
  static let leasedLine = SQLStatement("outbox_line_leased", leased(), mariadb: leased(never))

  private static func leased(_ wake: Int? = nil) -> String {
    """
    SELECT id FROM outbox
    WHERE kind = $1 AND \(isOfLine) AND \(waits(wake)) AND lease_token = $2
    """
  }

  // MariaDB finds a line by the moment that never comes.
  private static func waits(_ wake: Int?) -> String {
    "sent_utc IS NULL AND parked_utc IS NULL" + (wake.map { " AND wake_utc = \($0)" } ?? "")
  }

  // An account has few messages in a line, or waits behind one; the line itself is short.
  private static func line(_ wake: Int? = nil) -> String {
    let waits = waits(wake)
    return """
      SELECT \(message), next_try_utc FROM outbox
      WHERE kind = $3 AND \(isOfLine) AND \(waits)
        AND COALESCE(lease_until_utc, next_try_utc, 0) <= $1
        AND (ftc_user_id IS NULL OR ftc_user_id NOT IN (
          SELECT ftc_user_id FROM outbox
          WHERE kind = $3 AND \(isOfLine) AND ftc_user_id IS NOT NULL AND \(waits)
            AND COALESCE(lease_until_utc, next_try_utc, 0) > $1))
      ORDER BY id LIMIT $2
      """
  }

  // As the condition of the index of lines has it.
  fileprivate static let isOfLine = "(kind >= 'webhook:' AND kind < 'webhook;')"

  static let countLine = SQLStatement(
    "outbox_line_count",
    """
    SELECT COUNT(*) FROM (
      SELECT id FROM outbox
      WHERE kind = $1 AND \(isOfLine) AND sent_utc IS NULL AND parked_utc IS NULL
      LIMIT $2) AS page
    """)

  static let parkedMessages = SQLStatement(
    "outbox_parked", parked(isParked), mariadb: parked("is_parked = 1"))

  private static func parked(_ isParked: String) -> String {
    """
    SELECT \(message), parked_reason, parked_detail, parked_utc FROM outbox
    WHERE \(isParked) AND id > $1 ORDER BY id LIMIT $2
    """
  }

  static let newestMessagesTo = SQLStatement(
    "outbox_newest_to",
    """
    SELECT \(message), sent_utc, parked_utc FROM outbox
    WHERE ftc_user_id = $1 AND NOT \(isOfLine) ORDER BY id DESC LIMIT $2
    """)

  static let addMessage = SQLStatement(
    "outbox_add",
    """
    INSERT INTO outbox (kind, ftc_user_id, union_id, original_transaction_id, tier,
      expire_date, already_expired, created_utc, reference, deadline_ms, wake_utc, body, failures)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0)
    """)

  static let grantOutboxLease = SQLStatement(
    "outbox_grant",
    "UPDATE outbox SET lease_token = $2, lease_until_utc = $3, wake_utc = $3 WHERE id = $1")

  static let grantLineLease = SQLStatement(
    "outbox_line_grant",
    """
    UPDATE outbox SET lease_token = $2, lease_until_utc = $3
    WHERE id = $1 AND sent_utc IS NULL AND parked_utc IS NULL
      AND COALESCE(lease_until_utc, next_try_utc, 0) <= $4
    """)

  static let markSent = SQLStatement(
    "outbox_sent",
    """
    UPDATE outbox SET sent_utc = $3, lease_token = NULL, lease_until_utc = NULL,
      wake_utc = NULL, body = NULL
    WHERE id = $1 AND lease_token = $2
    """)

  static let markFailed = SQLStatement(
    "outbox_failed",
    """
    UPDATE outbox SET failures = failures + 1, next_try_utc = $3, wake_utc = \(wake("$3")),
      lease_token = NULL, lease_until_utc = NULL
    WHERE id = $1 AND lease_token = $2
    """)

  static let postponeMessage = SQLStatement(
    "outbox_postpone",
    """
    UPDATE outbox SET next_try_utc = $3, wake_utc = \(wake("$3")), lease_token = NULL,
      lease_until_utc = NULL
    WHERE id = $1 AND lease_token = $2
    """)

  // The last second of the year 9999. An earlier version of this code, which knows no parked messages, passes over
  // what is held back.
  static let never = 253_402_300_799

  private static func wake(_ moment: String) -> String {
    "CASE WHEN \(isOfLine) THEN \(never) ELSE \(moment) END"
  }

  static let parkMessage = SQLStatement(
    "outbox_park",
    """
    UPDATE outbox SET parked_utc = $3, parked_reason = $4, parked_detail = $5, lease_token = NULL,
      lease_until_utc = NULL, wake_utc = \(never)
    WHERE id = $1 AND lease_token = $2
    """)

  static let sendAgain = SQLStatement(
    "outbox_send_again",
    """
    UPDATE outbox SET parked_utc = NULL, parked_reason = NULL, parked_detail = NULL, failures = 0,
      next_try_utc = NULL, wake_utc = \(wake("NULL"))
    WHERE id = $1 AND \(isParked)
    """)

  static let discardMessage = SQLStatement(
    "outbox_discard", "DELETE FROM outbox WHERE id = $1 AND \(isParked)")

  static let giveBackMessage = SQLStatement(
    "outbox_give_back",
    """
    UPDATE outbox SET lease_token = NULL, wake_utc = \(wake("NULL")),
      lease_until_utc = CASE WHEN \(isOfLine) AND next_try_utc IS NOT NULL THEN 0 END
    WHERE id = $1 AND lease_token = $2
    """)

  /// The date of the oldest message that waits, except those of the kinds in a JSON array.
  static func oldestUnsent(_ dialect: SQLDialect) -> SQLStatement {
    switch dialect {
    case .sqlite: sqliteOldestUnsent
    case .postgres: postgresOldestUnsent
    case .mariadb: mariadbOldestUnsent
    }
  }

  private static let sqliteOldestUnsent = SQLStatement(
    "outbox_oldest", oldest("SELECT value FROM \(SQLTextList.table("$1", .sqlite))"))
  private static let mariadbOldestUnsent = SQLStatement(
    "outbox_oldest", oldest("SELECT value FROM \(SQLTextList.table("$1", .mariadb))"))
  private static let postgresOldestUnsent = SQLStatement(
    "outbox_oldest", oldest("SELECT jsonb_array_elements_text(CAST($1 AS JSONB))"))

  private static func oldest(_ others: String) -> String {
    oldestDate(where: " AND kind NOT IN (\(others))")
  }

  // The oldest message has the smallest number of those that are free or of those that are held back. The index has the
  // free ones in this order; the sum keeps SQLite from looking for one that is held back among all rows.
  private static func oldestDate(where filter: String = "") -> String {
    """
    SELECT MIN(created_utc) FROM outbox WHERE id IN (
      (SELECT id FROM outbox WHERE \(isFree)\(filter) ORDER BY id LIMIT 1),
      (SELECT MIN(id + 0) FROM outbox WHERE \(isHeld)\(filter)))
    """
  }

  static let countUnsent = SQLStatement(
    "outbox_count", unsent(isParked), mariadb: unsent("is_parked = 1"))

  private static func unsent(_ isParked: String) -> String {
    """
    SELECT
      (SELECT COUNT(*) FROM outbox WHERE \(isFree)) + (SELECT COUNT(*) FROM outbox WHERE \(isHeld)),
      (\(oldestDate())),
      (SELECT COUNT(*) FROM outbox WHERE \(isParked))
    """
  }

  private static let isParked = "parked_utc IS NOT NULL AND sent_utc IS NULL"
  private static let isFree = "sent_utc IS NULL AND wake_utc IS NULL AND parked_utc IS NULL"
  private static let isHeld = "sent_utc IS NULL AND wake_utc IS NOT NULL AND parked_utc IS NULL"
}
