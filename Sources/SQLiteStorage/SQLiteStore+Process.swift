internal import CStorekeeperSQLite

extension SQLiteStore {
  /// Lets SQLite count no memory, in all of the process; for the beginning of a program.
  ///
  /// Otherwise all its threads wait for each other whenever SQLite takes memory or gives it back, which
  /// is felt where several read at a time. What is lost are the figures of `sqlite3_memory_used()` and
  /// its like, and the limits of SQLite's heap; Storekeeper uses neither. No other thread may use SQLite
  /// meanwhile.
  ///
  /// - Returns: Whether it does now; false where SQLite has been used in the process already.
  ///
  /// Source: SQLite's `SQLITE_CONFIG_MEMSTATUS`.
  @discardableResult
  public static func omitMemoryStatistics() -> Bool {
    csqlite_omit_memory_statistics() == SQLITE_OK
  }
}
