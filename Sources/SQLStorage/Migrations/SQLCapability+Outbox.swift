// The outbox. Columns marked as ours are not in `Documentation/rules/linking-rules.md`.
extension SQLCapability {
  // Ours: original_transaction_id, the lease and the next try; and wake_utc, the later of both, which
  // is null while nothing holds the message back.
  static func outboxTables(_ types: SQLTypes) -> [String] {
    [outbox(types)] + outboxIndices(types)
  }

  private static func outbox(_ types: SQLTypes) -> String {
    """
    CREATE TABLE outbox (
      id \(types.serial),
      kind \(types.text) NOT NULL,
      ftc_user_id \(types.user),
      union_id \(types.text),
      original_transaction_id \(types.id) NOT NULL,
      tier \(types.text),
      expire_date \(types.text),
      already_expired \(types.flag) NOT NULL,
      created_utc \(types.int) NOT NULL,
      sent_utc \(types.int),
      failures \(types.int) NOT NULL,
      next_try_utc \(types.int),
      lease_token \(types.text),
      lease_until_utc \(types.int),
      wake_utc \(types.int))
    """
  }

  /// The text of a message that is handed over as it came.
  static func outboxBody(_ types: SQLTypes) -> String {
    "ALTER TABLE outbox ADD COLUMN body \(types.long)"
  }

  // Ours, all three. What waits for one kind of delivery is passed over by others without a look at its row.
  static func parking(_ types: SQLTypes) -> [String] {
    [
      "ALTER TABLE outbox ADD COLUMN parked_utc \(types.int)",
      "ALTER TABLE outbox ADD COLUMN parked_reason \(types.text)",
      "ALTER TABLE outbox ADD COLUMN parked_detail \(types.text)",
      types.drop(index: "outbox_due", of: "outbox"),
    ] + parkingIndices(types)
  }

  // MariaDB looks up nulls as it does values.
  private static func parkingIndices(_ types: SQLTypes) -> [String] {
    guard types.dialect == .mariadb else {
      return [
        """
        CREATE INDEX outbox_due ON outbox (id, kind)
          WHERE sent_utc IS NULL AND wake_utc IS NULL AND parked_utc IS NULL
        """,
        "CREATE INDEX outbox_parked ON outbox (id) WHERE parked_utc IS NOT NULL AND sent_utc IS NULL",
      ]
    }
    return ["CREATE INDEX outbox_due ON outbox (sent_utc, wake_utc, parked_utc, id)"]
      + types.mark("is_parked", of: "outbox", where: "parked_utc IS NOT NULL AND sent_utc IS NULL")
      + ["CREATE INDEX outbox_parked ON outbox (is_parked, id)"]
  }

  private static func outboxIndices(_ types: SQLTypes) -> [String] {
    guard types.dialect == .mariadb else {
      return [
        "CREATE INDEX outbox_due ON outbox (id) WHERE sent_utc IS NULL AND wake_utc IS NULL",
        """
        CREATE INDEX outbox_wake ON outbox (wake_utc)
          WHERE sent_utc IS NULL AND wake_utc IS NOT NULL
        """,
        "CREATE INDEX outbox_sent ON outbox (sent_utc, id) WHERE sent_utc IS NOT NULL",
      ]
    }
    return [
      "CREATE INDEX outbox_due ON outbox (sent_utc, wake_utc, id)",
      "CREATE INDEX outbox_sent ON outbox (sent_utc, id)",
    ]
  }
}
