/// How a store in SQLite works.
public struct SQLiteConfiguration: Hashable, Sendable {
  /// When a unit of work counts as kept.
  public enum Durability: Hashable, Sendable {
    /// When the disk has it: it outlives a loss of power.
    case disk
    /// When the operating system has it: it outlives the process, but a loss of power may take the
    /// last units of work; the file stays whole.
    case operatingSystem
  }

  /// When a unit of work counts as kept.
  public var durability: Durability = .disk
  /// How many units of work may read at the same time, at least 1; each has a connection of its
  /// own.
  public var readers: Int = 2
  /// How long to wait for another process that writes the same file.
  ///
  /// After it, units of work throw `StorageFailure.conflict`.
  public var busyTimeout: Duration = .seconds(5)
  /// How long a unit of work waits until others have ended and it may begin.
  ///
  /// After it, it throws `StorageFailure.unavailable`.
  public var waitLimit: Duration = .seconds(30)
  /// How much of the file each connection keeps in memory, in KiB.
  public var cacheSize: Int = 16_384
  /// How large the file may become, in KiB; nil for no bound but the disk's.
  ///
  /// Units of work that do not fit throw `StorageFailure.database` with SQLite's code 13. For tests.
  package var maximumSize: Int?
  /// Statements that are to fail, for tests.
  package var faults: SQLiteFaults?

  /// Durable, with two readers.
  public init() {}
}
