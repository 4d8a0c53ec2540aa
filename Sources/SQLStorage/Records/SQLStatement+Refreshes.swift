// Contract on linking, section 7. What nothing holds back has no wake_utc, so that rows which are
// leased, in back-off or far from their expiry are never looked at.
extension LockableStatement {
  static let wakeSubscriptions = LockableStatement(
    "refresh_wake", lock: "FOR UPDATE SKIP LOCKED"
  ) {
    """
    UPDATE apple_subscription SET wake_utc = NULL WHERE original_transaction_id IN (
      SELECT original_transaction_id FROM apple_subscription
      WHERE wake_utc <= $1 ORDER BY wake_utc LIMIT \(SQLSession.wakeLimit)\($0))
    """
  }

  static let dueSubscriptions = due("refresh_due", "s.expires_date_utc <= $2")

  static let dueRetries = due(
    "refresh_due_retry", "s.expires_date_utc > $2 AND s.in_billing_retry = 1")

  // The conditions on apple_poll_state matter only where clocks differ: another worker may have
  // taken a row off hold a little early.
  private static func due(_ name: String, _ condition: String) -> LockableStatement {
    LockableStatement(
      name,
      """
      SELECT s.original_transaction_id, s.environment, COALESCE(p.failures, 0)
      FROM apple_subscription s
      LEFT JOIN apple_poll_state p
        ON p.original_transaction_id = s.original_transaction_id
      WHERE s.auto_renewal = 1 AND s.wake_utc IS NULL AND s.expires_date_utc >= $1
        AND \(condition)
        AND (p.lease_until_utc IS NULL OR p.lease_until_utc <= $3)
        AND (p.next_try_utc IS NULL OR p.next_try_utc <= $3)
      ORDER BY s.expires_date_utc, s.original_transaction_id LIMIT $4
      """, lock: "FOR UPDATE OF s SKIP LOCKED")
  }
}

extension SQLStatement {
  static let grantRefreshLease = SQLStatement(
    "refresh_grant",
    """
    INSERT INTO apple_poll_state
      (original_transaction_id, environment, lease_token, lease_until_utc, failures)
    VALUES ($1, $2, $3, $4, 0)
    ON CONFLICT (original_transaction_id) DO UPDATE SET
      lease_token = excluded.lease_token, lease_until_utc = excluded.lease_until_utc
    """)

  // Only for PostgreSQL: SQLite has one writer.
  static let lockSubscription = SQLStatement(
    "refresh_lock",
    "SELECT 1 FROM apple_subscription WHERE original_transaction_id = $1 FOR UPDATE")

  static let holdSubscription = SQLStatement(
    "refresh_hold",
    "UPDATE apple_subscription SET wake_utc = $2 WHERE original_transaction_id = $1")

  static let finishRefresh = SQLStatement(
    "refresh_finish",
    """
    UPDATE apple_poll_state SET lease_token = NULL, lease_until_utc = NULL, failures = $3,
      next_try_utc = $4, last_error = $5
    WHERE original_transaction_id = $1 AND lease_token = $2
    """)

  static let giveBackRefresh = SQLStatement(
    "refresh_give_back",
    """
    UPDATE apple_poll_state SET lease_token = NULL, lease_until_utc = NULL
    WHERE original_transaction_id = $1 AND lease_token = $2
    """)

  static let beginRun = SQLStatement(
    "run_begin",
    """
    INSERT INTO polling_log
      (total_counter, success_counter, failure_counter, start_utc, app_name)
    VALUES (0, 0, 0, $1, 'iap') RETURNING id
    """)

  static let endRun = SQLStatement(
    "run_end",
    """
    UPDATE polling_log SET total_counter = $2, success_counter = $3, failure_counter = $4,
      end_utc = $5
    WHERE id = $1
    """)

  static let findRuns = SQLStatement(
    "run_find",
    """
    SELECT id, success_counter, failure_counter, start_utc, end_utc FROM polling_log
    ORDER BY id DESC LIMIT $1
    """)
}
