// Rows that are free have no wake_utc, so those in back-off or far from their expiry are never read.
// Leased rows are, but few are leased at a time.
extension LockableStatement {
  static let wakeSubscriptions = LockableStatement(
    "refresh_wake", .update("apple_subscription", set: "wake_utc = NULL"),
    where: "original_transaction_id",
    in: """
      SELECT original_transaction_id FROM apple_subscription
      WHERE wake_utc <= $1 ORDER BY wake_utc LIMIT \(SQLSession.wakeLimit)
      """, lock: "FOR UPDATE SKIP LOCKED")

  static let dueSubscriptions = due(
    "refresh_due", "(s.auto_renewal = 1 OR s.renewal_told = 0) AND s.wake_utc IS NULL",
    mariadb: "s.is_due = 1", "s.expires_date_utc <= $2")

  static let dueRetries = due(
    "refresh_due_retry",
    "s.auto_renewal = 1 AND s.wake_utc IS NULL AND s.in_billing_retry = 1",
    mariadb: "s.is_due_retry = 1", "s.expires_date_utc > $2")

  // Only what stands in the indices, so that rows, which lie far apart, are not looked up. Where clocks
  // differ, another worker may have taken a row off hold by that much before its next try.
  private static func due(
    _ name: String, _ indexed: String, mariadb: String, _ range: String
  ) -> LockableStatement {
    func sql(_ indexed: String) -> String {
      """
      SELECT s.original_transaction_id, s.environment, s.refresh_failures, s.expires_date_utc,
        s.auto_renewal
      FROM apple_subscription s
      WHERE \(indexed) AND s.expires_date_utc >= $1 AND \(range)
        AND NOT EXISTS (SELECT 1 FROM apple_refresh_lease l
          WHERE l.original_transaction_id = s.original_transaction_id
            AND l.until_utc > $3)
      ORDER BY s.expires_date_utc, s.original_transaction_id LIMIT $4
      """
    }
    return LockableStatement(
      name, sql(indexed), mariadb: sql(mariadb), lock: "FOR UPDATE OF s SKIP LOCKED")
  }
}

extension SQLStatement {
  /// Gives the ids that had no live lease, with this token, which a statement that is older than it may not have seen.
  static func grantRefreshLeases(_ dialect: SQLDialect) -> SQLStatement {
    SQLInsertion(
      """
      INSERT INTO apple_refresh_lease (original_transaction_id, token, until_utc)
      SELECT value, CAST($2 AS TEXT), CAST($3 AS BIGINT)
      FROM \(SQLTextList.table("$1", dialect)) WHERE true
      """, key: "original_transaction_id"
    ).returning("original_transaction_id, token").changingStored(
      "refresh_grant", [.overwriting("token"), .overwriting("until_utc")],
      where: "apple_refresh_lease.until_utc <= $4")
  }

  // Not for SQLite, which has one writer.
  static let lockSubscription = SQLStatement(
    "refresh_lock",
    "SELECT 1 FROM apple_subscription WHERE original_transaction_id = $1 FOR UPDATE")

  static let holdSubscription = SQLStatement(
    "refresh_hold",
    """
    UPDATE apple_subscription SET wake_utc = $2, refresh_failures = $3
    WHERE original_transaction_id = $1
    """)

  static let endRefreshLease = SQLStatement(
    "refresh_end",
    "DELETE FROM apple_refresh_lease WHERE original_transaction_id = $1 AND token = $2")

  static let noteRefresh = SQLInsertion(
    """
    INSERT INTO apple_poll_state
      (original_transaction_id, environment, failures, next_try_utc, last_error)
    VALUES ($1, $2, $3, $4, $5)
    """, key: "original_transaction_id"
  ).changingStored(
    "refresh_note", ["failures", "next_try_utc", "last_error"].map { .overwriting($0) })

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
