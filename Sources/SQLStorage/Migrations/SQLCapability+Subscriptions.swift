// The table of subscriptions. Columns marked as ours are not in
// `Documentation/rules/linking-rules.md`.
extension SQLCapability {
  // Ours: in_billing_retry, a copy from apple_pending_renewal, and two from apple_poll_state: wake_utc,
  // the next try, until which the refresh job leaves the row alone (null: nothing holds it back), and
  // refresh_failures. With them in the row, due subscriptions are one range of one index, however many
  // rows wait or expire later. The indices contain all columns of a list or a lease, so that the rows,
  // which lie far apart, are not looked up.
  static func subscriptionTables(_ types: SQLTypes) -> [String] {
    [
      """
      CREATE TABLE apple_subscription (
        environment \(types.word) NOT NULL,
        original_transaction_id \(types.id) NOT NULL
          \(types.key("apple_subscription_key")),
        last_transaction_id \(types.text) NOT NULL,
        product_id \(types.text) NOT NULL,
        purchase_date_utc \(types.int) NOT NULL,
        expires_date_utc \(types.int) NOT NULL,
        tier \(types.text) NOT NULL,
        cycle \(types.text) NOT NULL,
        auto_renewal \(types.flag) NOT NULL,
        created_utc \(types.int) NOT NULL,
        updated_utc \(types.int) NOT NULL,
        ftc_user_id \(types.user),
        as_of_ms \(types.int) NOT NULL,
        in_billing_retry \(types.flag) NOT NULL,
        wake_utc \(types.int),
        refresh_failures \(types.int) NOT NULL DEFAULT 0)\(types.keyed)
      """,
      """
      CREATE INDEX apple_subscription_ftc_user_id ON apple_subscription
        (ftc_user_id, expires_date_utc DESC, original_transaction_id\(types.and(listed)))\(
        types.rows(where: "ftc_user_id IS NOT NULL"))
      """,
      """
      CREATE INDEX apple_subscription_wake ON apple_subscription (wake_utc)\(
        types.rows(where: "wake_utc IS NOT NULL"))
      """,
    ] + dueIndices(types)
  }

  private static let listed = """
    environment,
      last_transaction_id, product_id, purchase_date_utc, tier, cycle, auto_renewal,
      created_utc, updated_utc
    """

  private static func dueIndices(_ types: SQLTypes) -> [String] {
    let retries = "auto_renewal = 1 AND wake_utc IS NULL AND in_billing_retry = 1"
    guard types.dialect == .mariadb else {
      return [
        """
        CREATE INDEX apple_subscription_due ON apple_subscription
          (expires_date_utc, original_transaction_id, environment, refresh_failures,
          auto_renewal, wake_utc)
          WHERE auto_renewal = 1 AND wake_utc IS NULL
        """,
        """
        CREATE INDEX apple_subscription_retry ON apple_subscription
          (expires_date_utc, original_transaction_id, environment, refresh_failures,
          auto_renewal, wake_utc, in_billing_retry)
          WHERE \(retries)
        """,
      ]
    }
    return types.mark("is_due_retry", of: "apple_subscription", where: retries)
      + [
        """
        CREATE INDEX apple_subscription_retry ON apple_subscription
          (is_due_retry, expires_date_utc, original_transaction_id)
        """
      ]
  }

  // Ours: most answers repeat what is stored, with a newer stamp. So the stamp is kept here, once for all
  // transactions of the subscription, and once for its receipt: a transaction or a receipt is as of its
  // own as_of_ms or of this, whichever is later.
  static func answerStamps(_ types: SQLTypes) -> [String] {
    [
      "ALTER TABLE apple_subscription ADD COLUMN transactions_as_of_ms \(types.int)",
      "ALTER TABLE apple_subscription ADD COLUMN receipt_as_of_ms \(types.int)",
    ]
  }
  // Ours: renewal_told, 0 where no entry about the renewal was ever recorded, so that auto_renewal is off because
  // nobody knows. The refresh job asks about such a row too, so it is in the index of those that are due. An answer
  // of verifyReceipt, which leaves a receipt, has told.
  static func untoldRenewals(_ types: SQLTypes) -> [String] {
    [
      """
      ALTER TABLE apple_subscription ADD COLUMN renewal_told \(types.flag) NOT NULL DEFAULT 1
      """,
      """
      UPDATE apple_subscription SET renewal_told = 0
        WHERE auto_renewal = 0
          AND NOT EXISTS (SELECT 1 FROM apple_pending_renewal r
            WHERE r.original_transaction_id = apple_subscription.original_transaction_id
              AND r.environment = apple_subscription.environment)
          AND NOT EXISTS (SELECT 1 FROM apple_receipt r
            WHERE r.original_transaction_id = apple_subscription.original_transaction_id
              AND r.environment = apple_subscription.environment)
      """,
    ] + untoldIndices(types)
  }

  private static func untoldIndices(_ types: SQLTypes) -> [String] {
    let due = "(auto_renewal = 1 OR renewal_told = 0) AND wake_utc IS NULL"
    guard types.dialect == .mariadb else {
      return [
        "DROP INDEX apple_subscription_due",
        """
        CREATE INDEX apple_subscription_due ON apple_subscription
          (expires_date_utc, original_transaction_id, environment, refresh_failures,
          auto_renewal, renewal_told, wake_utc)
          WHERE \(due)
        """,
      ]
    }
    return types.mark("is_due", of: "apple_subscription", where: due)
      + [
        """
        CREATE INDEX apple_subscription_due ON apple_subscription
          (is_due, expires_date_utc, original_transaction_id)
        """
      ]
  }
}
