// The tables of the App Store Server API's use cases.
extension SQLCapability {
  static func serverTables(_ types: SQLTypes) -> [String] {
    [
      jobPlace(types), historyRevision(types), consumptionRequest(types),
      """
      CREATE INDEX apple_consumption_request_transaction_id
        ON apple_consumption_request (transaction_id, environment, requested_ms)
      """,
      """
      CREATE INDEX apple_webhook_environment_created_utc
        ON apple_webhook (environment, created_utc)
      """,
      "ALTER TABLE outbox ADD COLUMN reference \(types.id)",
      "ALTER TABLE outbox ADD COLUMN deadline_ms \(types.int)",
    ]
  }

  static func consumptionAge(_ types: SQLTypes) -> [String] {
    [
      """
      CREATE INDEX apple_consumption_request_requested_ms
        ON apple_consumption_request (requested_ms)\(types.rows(where: "state <> 'waiting'", after: " "))
      """
    ]
  }

  /// The answers of people, and what waits for one, those first whose time ends first.
  static func waitingConsumption(_ types: SQLTypes) -> [String] {
    let table = "apple_consumption_request"
    return ["ALTER TABLE \(table) ADD COLUMN proposed_answer \(types.text)"]
      + waitingIndex(types, table)
  }

  private static func waitingIndex(_ types: SQLTypes, _ table: String) -> [String] {
    let isWaiting = "state = 'waiting'"
    guard types.dialect == .mariadb else {
      // With a condition that other statements lack, so that PostgreSQL finds single questions by their key.
      return [
        """
        CREATE INDEX \(table)_waiting ON \(table) (deadline_ms, notification_key)
          WHERE \(isWaiting) AND deadline_ms > 0
        """
      ]
    }
    return types.mark("is_waiting", of: table, where: isWaiting)
      + ["CREATE INDEX \(table)_waiting ON \(table) (is_waiting, deadline_ms, notification_key)"]
  }

  // Google's questions are in the table of Apple's, as its purchases are.
  static func refundReviews(_ types: SQLTypes) -> [String] {
    ["ALTER TABLE apple_consumption_request ADD COLUMN pending_refund_token \(types.text)"]
  }

  // The moment of the last change is for people.
  private static func jobPlace(_ types: SQLTypes) -> String {
    """
    CREATE TABLE job_place (
      job \(types.id) NOT NULL \(types.key("job_place_key")),
      place \(types.text),
      lease_token \(types.text),
      lease_until_utc \(types.int),
      updated_utc \(types.int) NOT NULL)\(types.keyed)
    """
  }

  private static func historyRevision(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_history_revision (
      original_transaction_id \(types.id) NOT NULL,
      environment \(types.word) NOT NULL,
      kind \(types.word) NOT NULL,
      revision \(types.text) NOT NULL,
      as_of_ms \(types.int) NOT NULL,
      CONSTRAINT apple_history_revision_key PRIMARY KEY
        (original_transaction_id, environment, kind))\(types.keyed)
    """
  }

  private static func consumptionRequest(_ types: SQLTypes) -> String {
    """
    CREATE TABLE apple_consumption_request (
      notification_key \(types.id) NOT NULL
        \(types.key("apple_consumption_request_key")),
      environment \(types.word) NOT NULL,
      transaction_id \(types.id) NOT NULL,
      original_transaction_id \(types.id) NOT NULL,
      product_id \(types.text),
      reason \(types.text),
      is_advanced_commerce \(types.flag) NOT NULL,
      requested_ms \(types.int) NOT NULL,
      deadline_ms \(types.int) NOT NULL,
      answer \(types.text),
      state_ms \(types.int),
      outcome \(types.text),
      outcome_ms \(types.int),
      state \(types.text) NOT NULL)
    """
  }
}
