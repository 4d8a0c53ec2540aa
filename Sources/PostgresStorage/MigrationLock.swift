internal import SQLStorage

extension SQLConnection {
  /// Waits until no other process migrates; the lock is released at the end of the transaction.
  func becomeMigrator() async throws {
    // The migration of another process may take longer than ordinary work may.
    _ = try await query(.unlimited, [.text("lock_timeout")])
    _ = try await query(.unlimited, [.text("statement_timeout")])
    _ = try await query(.migrationLock, [])
  }
}

extension SQLStatement {
  fileprivate static let unlimited = SQLStatement(
    "migration_unlimited", "SELECT set_config($1, '0', true)")

  /// A number for this lock alone: "storekpr" as eight bytes.
  fileprivate static let migrationLock = SQLStatement(
    "migration_lock", "SELECT pg_advisory_xact_lock(8319396948778643570)")
}
