// Ours: what is old is found by these indices, and removed by who has the lease.
extension SQLMigrations {
  static func retention(_ types: SQLTypes) -> [String] {
    ["apple_webhook", "apple_verification_session", "member_snapshot"].map {
      "CREATE INDEX \($0)_created_utc ON \($0) (created_utc)"
    } + [
      """
      CREATE TABLE retention_lease (
        kind \(types.text) NOT NULL CONSTRAINT retention_lease_key PRIMARY KEY,
        token \(types.text) NOT NULL,
        until_utc \(types.int) NOT NULL)\(types.keyed)
      """
    ]
  }
}
