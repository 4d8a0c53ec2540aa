internal import CStorekeeperSQLite

/// The configuration of a store in SQLite.
public struct SQLiteConfiguration: Hashable, Sendable {
  /// The point at which a unit of work counts as committed.
  public enum Durability: Hashable, Sendable {
    /// When it is on the disk: it survives a loss of power.
    case disk
    /// When the operating system has it: it survives the process, but a loss of power may take the
    /// last units of work; the file stays intact.
    case operatingSystem
  }

  /// The point at which a unit of work counts as committed.
  public var durability: Durability = .disk
  /// The number of units of work that may read at the same time, at least 1; each has a connection
  /// of its own.
  public var readers: Int = 2
  /// The time to wait for another process that writes the same file.
  ///
  /// After that, units of work throw `StorageFailure.conflict`.
  public var busyTimeout: Duration = .seconds(5)
  /// The time that a unit of work waits for its turn.
  ///
  /// After that, it throws `StorageFailure.unavailable`.
  public var waitLimit: Duration = .seconds(30)
  /// The size of the page cache of each connection, in KiB.
  public var cacheSize: Int = 16_384
  /// The maximum size of the file, in KiB; nil for no limit but the disk's.
  ///
  /// Units of work that do not fit throw `StorageFailure.database` with SQLite's code 13. For
  /// tests.
  package var maximumSize: Int?
  /// Statements that fail, for tests.
  package var faults: SQLiteFaults?

  /// Creates a configuration with full durability and two readers.
  public init() {}
}

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
