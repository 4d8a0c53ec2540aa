extension SQLStatement {
  static let snapshotsOfSubscription = SQLStatement(
    "snapshot_of_subscription", snapshots("member_snapshot WHERE apple_subscription_id = $1"))

  // MariaDB would go through all copies for a union in the condition.
  static let snapshotsOfAccount: SQLStatement = {
    let numbers = """
      (
        SELECT number FROM member_snapshot WHERE compound_id = $1
        UNION SELECT number FROM member_snapshot WHERE wx_union_id = $1)
      """
    return SQLStatement(
      "snapshot_of_account", snapshots("member_snapshot WHERE number IN \(numbers)"),
      mariadb: snapshots("\(numbers) AS chosen JOIN member_snapshot USING (number)"))
  }()

  static let disputesOfSubscription = claims(
    "dispute_of_subscription", "apple_cheat", "original_transaction_id")
  static let disputesOfAccount = claims("dispute_of_account", "apple_cheat", "ftc_user_id")
  static let unlinksOfSubscription = claims(
    "unlink_of_subscription", "apple_unlink_archive", "original_transaction_id")
  static let unlinksOfAccount = claims(
    "unlink_of_account", "apple_unlink_archive", "ftc_user_id")

  static let disputes = disputes("disputes", "")
  static let disputesPageOfSubscription = disputes(
    "disputes_of_subscription", "AND original_transaction_id = $4")
  static let disputesPageOfAccount = disputes("disputes_of_account", "AND ftc_user_id = $4")

  private static func disputes(_ name: String, _ condition: String) -> SQLStatement {
    SQLStatement(
      name,
      """
      SELECT id, original_transaction_id, ftc_user_id, created_utc FROM apple_cheat
      WHERE id > $1 AND created_utc >= $2 \(condition)
      ORDER BY id LIMIT $3
      """)
  }

  // After its first three columns, a copy is read like a membership without id and old columns.
  private static func snapshots(_ rows: String) -> String {
    """
    SELECT created_by, created_utc, compound_id, compound_id, NULL, wx_union_id,
      \(snapshotColumns), NULL, NULL
    FROM \(rows)
    ORDER BY created_utc, number LIMIT $2
    """
  }

  private static func claims(_ name: String, _ table: String, _ column: String) -> SQLStatement {
    SQLStatement(
      name,
      """
      SELECT original_transaction_id, ftc_user_id, created_utc FROM \(table)
      WHERE \(column) = $1 ORDER BY created_utc, id LIMIT $2
      """)
  }
}
