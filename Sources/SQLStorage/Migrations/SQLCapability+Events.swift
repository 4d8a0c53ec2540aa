// The events for the host, and the places of their readers; all of it is ours.
extension SQLCapability {
  // An event has no place until it is ordered.
  static func events(_ types: SQLTypes) -> [String] {
    [
      """
      CREATE TABLE host_event (
        id \(types.serial),
        place \(types.int),
        event_id \(types.word) NOT NULL,
        type \(types.text) NOT NULL,
        account \(types.user),
        created_ms \(types.int) NOT NULL,
        data \(types.long) NOT NULL)
      """,
      "CREATE UNIQUE INDEX host_event_place ON host_event (place)",
      "CREATE UNIQUE INDEX host_event_id ON host_event (event_id)",
    ] + newEvents(types) + [
      "CREATE INDEX host_event_created ON host_event (created_ms)",
      """
      CREATE TABLE event_reader (
        name \(types.text(upTo: 100)) NOT NULL \(types.key("event_reader_pkey")),
        place \(types.int) NOT NULL,
        disabled_ms \(types.int),
        resume_ms \(types.int),
        turns \(types.int) NOT NULL)
      """,
    ]
  }

  /// MariaDB finds those without a place by the other index.
  private static func newEvents(_ types: SQLTypes) -> [String] {
    types.dialect == .mariadb
      ? [] : ["CREATE INDEX host_event_new ON host_event (id) WHERE place IS NULL"]
  }

  /// What an account was told, for its page at the desk and for its erasure.
  static func accountIndices(_ types: SQLTypes) -> [String] {
    [
      """
      CREATE INDEX host_event_account ON host_event (account, id)\(
        types.rows(where: "account IS NOT NULL"))
      """,
      """
      CREATE INDEX outbox_account ON outbox (ftc_user_id, id)\(
        types.rows(where: "ftc_user_id IS NOT NULL"))
      """,
    ]
  }

  /// What is to be delivered in order, found by its kind and account.
  static func outboxLines(_ types: SQLTypes) -> [String] {
    guard types.dialect != .mariadb else { return [] }
    return [
      """
      CREATE INDEX outbox_line ON outbox (kind, id)
        WHERE sent_utc IS NULL AND parked_utc IS NULL AND kind >= 'webhook:' AND kind < 'webhook;'
      """
    ]
  }
}
