internal import SQLStorage

// What a store tries to write, to find out whether it can; nothing is left of it.
extension SQLStatement {
  static let mayProbeRoom = SQLStatement(
    "may_probe_room",
    "SELECT 1::bigint WHERE has_database_privilege(current_database(), 'TEMPORARY')")

  static let makeProbe = SQLStatement(
    "make_probe",
    """
    CREATE TEMPORARY TABLE IF NOT EXISTS storekeeper_probe (room text) ON COMMIT DELETE ROWS
    """)

  /// In rows that are too short to be compressed.
  static let fillProbe = SQLStatement(
    "fill_probe",
    """
    INSERT INTO pg_temp.storekeeper_probe (room)
    SELECT repeat('x', 1000) FROM generate_series(1, 512)
    """)

  static let probeLog = SQLStatement(
    "probe_log", "SELECT pg_logical_emit_message(true, 'storekeeper', '')::text")
}
