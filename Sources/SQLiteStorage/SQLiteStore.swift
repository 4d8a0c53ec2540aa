internal import LockSupport
public import PurchaseStorage
internal import SQLStorage

/// A store in a file of SQLite, for one machine.
///
/// ```swift
/// let store = try await SQLiteStore(path: "purchases.sqlite")
/// ```
///
/// **A unit of work that has returned is on the disk**, unless the configuration says otherwise. One
/// connection writes; units of work that come while the disk is busy are committed together. Others
/// read beside it, each a consistent state, and neither wait for the writer nor hold it up. Several
/// processes of the machine may use the same file.
///
/// Waiting for the disk happens on threads of the store's own, never on those of Swift's tasks. A
/// closure that waits for something else holds up all that write, so it should not; and one that
/// begins another unit of work that writes on the same store waits for ever.
///
/// The file has two companions while it is open, with `-wal` and `-shm` at the end of their names; they
/// belong to it. Not for network file systems.
public final class SQLiteStore: PurchaseStore {
  private let writer = SQLiteWriter()
  private let readers: [SQLiteReader]
  private let freeReaders: WaitingLine<SQLiteReader>

  /// Opens the file, makes it if it is not there, and brings it to the present shape.
  ///
  /// - Parameters:
  ///   - path: Where the file is; its folder exists.
  ///   - configuration: How the store works.
  /// - Throws: `StorageFailure.newerSchema` for a file of a later version of this library;
  ///   `StorageFailure.database` for one that is no database, or that of another program, and for one
  ///   that may not be written; `StorageFailure.unavailable` where no file can be;
  ///   `StorageFailure.conflict` where another process has it for longer than the configuration waits.
  public init(
    path: String, configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) async throws {
    readers = (0..<max(1, configuration.readers)).map { _ in SQLiteReader() }
    freeReaders = WaitingLine(readers)
    let (writer, readers) = (writer, readers)
    try await inTermsOfStorage {
      try await writer.open(path: path, configuration: configuration)
      for reader in readers { try await reader.open(path: path, configuration: configuration) }
    }
  }

  /// Reads a consistent state, beside the units of work that write.
  ///
  /// - Parameter body: What reads; a call in it that writes throws `StorageFailure.database`.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; `CancellationError` if cancelled while all readers are at
  ///   work; `StorageFailure`.
  public func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result {
    let reader = try await freeReaders.take()
    defer { freeReaders.giveBack(reader) }
    return try await inTermsOfStorage { try await reader.read(body) }
  }

  /// Reads and writes, all or nothing, one after the other.
  ///
  /// - Parameter body: What reads and writes; it may run more than once.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; `CancellationError` if cancelled before its turn;
  ///   `StorageFailure`.
  public func write<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result {
    try await inTermsOfStorage { try await writer.write(body) }
  }

  /// Closes the file after the units of work that write have ended.
  ///
  /// Later ones throw `StorageFailure.unavailable`. A store that goes away closes its file as well.
  ///
  /// - Throws: `CancellationError` if cancelled while waiting.
  public func close() async throws {
    var taken: [SQLiteReader] = []
    defer { for reader in taken { freeReaders.giveBack(reader) } }
    for _ in readers {
      let reader = try await freeReaders.take()
      taken.append(reader)
      await reader.close()
    }
    try await writer.close()
  }
}

/// Runs what may fail in SQLite, and throws such failures as those of a store.
private nonisolated(nonsending) func inTermsOfStorage<Result>(
  _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
  do {
    return try await body()
  } catch let failure as SQLFailure {
    throw StorageFailure(failure)
  } catch is StillBusy {
    throw StorageFailure.conflict
  }
}
