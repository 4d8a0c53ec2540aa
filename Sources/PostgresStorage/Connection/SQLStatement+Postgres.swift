internal import SQLStorage

extension SQLStatement {
  /// The beginning of a transaction.
  ///
  /// A reader has one snapshot for all its statements, so that a total and its page agree. A writer's
  /// statements see committed rows, and lock the rows that they read.
  static func begin(_ access: SQLRecords.Access) -> SQLStatement {
    switch access {
    case .reading: beginReading
    case .writing: beginWriting
    }
  }

  private static let beginReading = SQLStatement(
    "begin_reading", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
  private static let beginWriting = SQLStatement(
    "begin_writing", "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")
  static let commit = SQLStatement("commit", "COMMIT")
  static let rollback = SQLStatement("rollback", "ROLLBACK")

  static let unlimited = SQLStatement(
    "migration_unlimited", "SELECT set_config($1, '0', true)")

  /// A number for this lock alone: "storekpr" as eight bytes.
  static let migrationLock = SQLStatement(
    "migration_lock", "SELECT pg_advisory_xact_lock(8319396948778643570)")
}

// MARK: - Test of writability

// The statements write, so that a full or read-only disk shows; they leave nothing behind.
extension SQLStatement {
  static let mayProbeRoom = SQLStatement(
    "may_probe_room",
    "SELECT 1::bigint WHERE has_database_privilege(current_database(), 'TEMPORARY')")

  static let makeProbe = SQLStatement(
    "make_probe",
    """
    CREATE TEMPORARY TABLE IF NOT EXISTS storekeeper_probe (room text) ON COMMIT DELETE ROWS
    """)

  /// Fills half a MiB, in rows that are too short to be compressed.
  static let fillProbe = SQLStatement(
    "fill_probe",
    """
    INSERT INTO pg_temp.storekeeper_probe (room)
    SELECT repeat('x', 1000) FROM generate_series(1, 512)
    """)

  static let probeLog = SQLStatement(
    "probe_log", "SELECT pg_logical_emit_message(true, 'storekeeper', '')::text")
}
