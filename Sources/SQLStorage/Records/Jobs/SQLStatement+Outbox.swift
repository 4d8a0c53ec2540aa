// Messages that are free have no wake_utc, so those that are leased or in back-off are never read.
extension LockableStatement {
  static let wakeMessages = LockableStatement(
    "outbox_wake", "UPDATE outbox SET wake_utc = NULL", where: "id",
    in: """
      SELECT id FROM outbox WHERE sent_utc IS NULL AND wake_utc <= $1
      ORDER BY wake_utc LIMIT \(SQLSession.wakeLimit)
      """, lock: "FOR UPDATE SKIP LOCKED")

  static let removeSent = LockableStatement(
    "outbox_remove", "DELETE FROM outbox", where: "id",
    in: "SELECT id FROM outbox WHERE sent_utc < $1 ORDER BY sent_utc, id LIMIT $2",
    lock: "FOR UPDATE SKIP LOCKED")

  static let dueMessages = LockableStatement(
    "outbox_due",
    """
    SELECT id, kind, ftc_user_id, union_id, original_transaction_id, tier, expire_date,
      already_expired, created_utc, failures, reference, deadline_ms
    FROM outbox
    WHERE sent_utc IS NULL AND wake_utc IS NULL
      AND (lease_until_utc IS NULL OR lease_until_utc <= $1)
      AND (next_try_utc IS NULL OR next_try_utc <= $1)
    ORDER BY id LIMIT $2
    """, lock: "FOR UPDATE SKIP LOCKED")
}

extension SQLStatement {
  static let addMessage = SQLStatement(
    "outbox_add",
    """
    INSERT INTO outbox (kind, ftc_user_id, union_id, original_transaction_id, tier,
      expire_date, already_expired, created_utc, reference, deadline_ms, failures)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0)
    """)

  static let grantOutboxLease = SQLStatement(
    "outbox_grant",
    "UPDATE outbox SET lease_token = $2, lease_until_utc = $3, wake_utc = $3 WHERE id = $1")

  static let markSent = SQLStatement(
    "outbox_sent",
    """
    UPDATE outbox SET sent_utc = $3, lease_token = NULL, lease_until_utc = NULL,
      wake_utc = NULL
    WHERE id = $1 AND lease_token = $2
    """)

  static let markFailed = SQLStatement(
    "outbox_failed",
    """
    UPDATE outbox SET failures = failures + 1, next_try_utc = $3, wake_utc = $3,
      lease_token = NULL, lease_until_utc = NULL
    WHERE id = $1 AND lease_token = $2
    """)

  static let giveBackMessage = SQLStatement(
    "outbox_give_back",
    """
    UPDATE outbox SET lease_token = NULL, lease_until_utc = NULL, wake_utc = NULL
    WHERE id = $1 AND lease_token = $2
    """)

  static let countUnsent = SQLStatement(
    "outbox_count",
    """
    SELECT (SELECT COUNT(*) FROM outbox WHERE sent_utc IS NULL AND wake_utc IS NULL)
      + (SELECT COUNT(*) FROM outbox WHERE sent_utc IS NULL AND wake_utc IS NOT NULL)
    """)
}
