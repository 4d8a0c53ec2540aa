// Contract on linking, sections 4.6 and 7; columns that it does not have are marked as ours.
extension SQLMigrations {
  static func jobTables(_ types: SQLTypes) -> [String] {
    [pollState(types), refreshLease(types), pollingLog(types), outbox(types)] + outboxIndices
  }

  private static func pollState(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_poll_state (
      original_transaction_id \(types.text) NOT NULL
        CONSTRAINT apple_poll_state_key PRIMARY KEY,
      environment \(types.text) NOT NULL,
      next_try_utc \(types.int),
      failures \(types.int) NOT NULL,
      last_error \(types.text))\(types.keyed)
    """
  }

  // Ours: leases apart from the rows that they are on, which lie far apart in tables of a million.
  // Here a batch is a page or two.
  private static func refreshLease(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_refresh_lease (
      original_transaction_id \(types.text) NOT NULL
        CONSTRAINT apple_refresh_lease_key PRIMARY KEY,
      token \(types.text) NOT NULL,
      until_utc \(types.int) NOT NULL)\(types.keyed)
    """
  }

  private static func pollingLog(_ types: SQLTypes) -> String {
    """
    CREATE TABLE polling_log (
      id \(types.serial),
      total_counter \(types.int) NOT NULL,
      success_counter \(types.int) NOT NULL,
      failure_counter \(types.int) NOT NULL,
      start_utc \(types.int) NOT NULL,
      end_utc \(types.int),
      app_name \(types.text) NOT NULL)
    """
  }

  // Ours: original_transaction_id, the lease and the next try; and wake_utc, the later of both, which
  // is null while nothing holds the message back.
  private static func outbox(_ types: SQLTypes) -> String {
    """
    CREATE TABLE outbox (
      id \(types.serial),
      kind \(types.text) NOT NULL,
      ftc_user_id \(types.text),
      union_id \(types.text),
      original_transaction_id \(types.text) NOT NULL,
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

  private static let outboxIndices = [
    "CREATE INDEX outbox_due ON outbox (id) WHERE sent_utc IS NULL AND wake_utc IS NULL",
    """
    CREATE INDEX outbox_wake ON outbox (wake_utc)
      WHERE sent_utc IS NULL AND wake_utc IS NOT NULL
    """,
    "CREATE INDEX outbox_sent ON outbox (sent_utc, id) WHERE sent_utc IS NOT NULL",
  ]
}
