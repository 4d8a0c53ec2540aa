internal import CStorekeeperSQLite

extension SQLiteStore {
  /// Turns off SQLite's memory statistics for the whole process; call it when the program starts.
  ///
  /// With statistics, all threads contend for a lock whenever SQLite allocates or frees memory,
  /// which shows when several read at a time. The price is the figures of `sqlite3_memory_used()`
  /// and its like, and SQLite's heap limits; Storekeeper uses neither. No other thread may use
  /// SQLite during the call.
  ///
  /// - Returns: Whether statistics are off; false if SQLite was used in the process before.
  ///
  /// Source: SQLite's `SQLITE_CONFIG_MEMSTATUS`.
  @discardableResult
  public static func omitMemoryStatistics() -> Bool {
    csqlite_omit_memory_statistics() == SQLITE_OK
  }
}
