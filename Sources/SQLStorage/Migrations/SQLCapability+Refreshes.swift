// The tables of the refresh job. Columns marked as ours are not in
// `Documentation/rules/linking-rules.md`.
extension SQLCapability {
  static func refreshTables(_ types: SQLTypes) -> [String] {
    [pollState(types), refreshLease(types), pollingLog(types)]
  }

  private static func pollState(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_poll_state (
      original_transaction_id \(types.id) NOT NULL
        \(types.key("apple_poll_state_key")),
      environment \(types.word) NOT NULL,
      next_try_utc \(types.int),
      failures \(types.int) NOT NULL,
      last_error \(types.text))\(types.keyed)
    """
  }

  // Ours: leases apart from their rows, which lie far apart in tables of a million; here a batch fills a
  // page or two.
  private static func refreshLease(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_refresh_lease (
      original_transaction_id \(types.id) NOT NULL
        \(types.key("apple_refresh_lease_key")),
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
}
