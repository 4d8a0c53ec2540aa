internal import StorekeeperLocks
public import PurchaseStorage
public import SQLStorage

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
/// Waiting for the disk happens on Dispatch's threads, never on those of Swift's tasks; reads may also
/// run on threads of the host that may wait (``readingInPlace(_:)``). A closure that
/// waits for something else holds up all that write, so it should not. No closure begins another unit
/// of work on the same store: a write in a write, and a read in a read where no reader is free, wait
/// for what waits for them, until ``SQLiteConfiguration/waitLimit`` ends it.
///
/// The file has two companions while it is open, with `-wal` and `-shm` at the end of their names; they
/// belong to it. All three may be read and written by their owner alone, if the store made them. The
/// log (`-wal`) grows beyond 16 MiB while a unit of work that reads waits for something, and shrinks
/// after that. Not for network file systems.
///
/// Call ``close()`` before letting go of a store: one that goes away without it closes its file, which
/// waits for the disk, on the thread that let go of it.
public final class SQLiteStore: PurchaseStore {
  private struct Closed: Sendable {}

  let writer: SQLiteWriter
  private let readers: [SQLiteReader]
  private let freeReaders: WaitingLine<SQLiteReader>
  private let waitLimit: Duration
  private let isClosing = Locked(false)
  /// Those who wait until the store is closed.
  private let closers = WaitingLine<Closed>([])

  /// Opens the file, creates it if it does not exist, and brings it to the present shape.
  ///
  /// - Parameters:
  ///   - path: The path of the file; its folder exists.
  ///   - capabilities: The capabilities whose tables the file is to have, besides
  ///     ``/SQLStorage/SQLCapability/purchases``. A file keeps those that it has. All processes that
  ///     share a file give the same ones.
  ///   - configuration: The settings of the store.
  /// - Throws: `StorageFailure.newerSchema` for a file of a later version of this library;
  ///   `StorageFailure.database` for one that is no database, or that of another program, and for one
  ///   that may not be written; `StorageFailure.unavailable` where no file can be;
  ///   `StorageFailure.conflict` where another process has it for longer than the configuration waits;
  ///   `CancellationError` if cancelled while waiting for that.
  public init(
    path: String, capabilities: Set<SQLCapability> = SQLCapability.all,
    configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) async throws {
    let writer = SQLiteWriter(path: path, configuration: configuration)
    let present = try await inTermsOfStorage { try await writer.open(with: capabilities) }
    let readers = (0..<max(1, configuration.readers)).map { _ in
      SQLiteReader(path: path, configuration: configuration, capabilities: present)
    }
    try await inTermsOfStorage {
      for reader in readers { try await reader.open() }
    }
    self.writer = writer
    self.readers = readers
    freeReaders = WaitingLine(readers)
    waitLimit = configuration.waitLimit
  }

  /// Reads a consistent state, beside the units of work that write.
  ///
  /// - Parameter body: What reads; a call in it that writes throws `StorageFailure.database`. It may run
  ///   more than once.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; `CancellationError` if cancelled while all readers are at
  ///   work; `StorageFailure`.
  public func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (SQLRecords) async throws -> Result
  ) async throws -> Result {
    try checkOpen()
    return try await inTermsOfStorage {
      let reader = try await freeReaders.take(within: waitLimit)
      defer { freeReaders.giveBack(reader) }
      return try await reader.read(body)
    }
  }

  /// Reads and writes, all or nothing, one after the other.
  ///
  /// - Parameter body: What reads and writes; it may run more than once.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; `CancellationError` if cancelled before its turn;
  ///   `StorageFailure`.
  public func write<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (SQLRecords) async throws -> Result
  ) async throws -> Result {
    try checkOpen()
    writer.asked.withLock { $0 += 1 }
    defer {
      writer.asked.withLock { $0 -= 1 }
      if writer.log.takeDue() { Task { await emptyLog() } }
    }
    return try await inTermsOfStorage { try await writer.write(body) }
  }

  /// How many units of work wait for their turn to write.
  package var waiting: Int { writer.line.count }

  private func checkOpen() throws {
    if isClosing.withLock({ $0 }) { throw StorageFailure.closed }
  }

  // MARK: Closing

  /// Closes the file after the units of work that came before.
  ///
  /// Later ones throw `StorageFailure.unavailable`. Several may call it, and all of them wait for the
  /// same; it goes on where one is cancelled.
  ///
  /// - Throws: `CancellationError` if cancelled while waiting; the file is closed all the same, as soon
  ///   as the units of work have ended.
  public func close() async throws {
    let isFirst = isClosing.withLock { isClosing in
      defer { isClosing = true }
      return !isClosing
    }
    if isFirst { Task { await shutDown() } }
    closers.giveBack(try await closers.take())
  }

  private func shutDown() async {
    let taken = await holdReaders(for: nil)
    for reader in taken { await reader.close() }
    for reader in taken { freeReaders.giveBack(reader) }
    try? await writer.close()
    closers.giveBack(Closed())
  }

  /// Takes the readers when their units of work have ended: all of them, unless one takes too long.
  private func holdReaders(for limit: Duration?) async -> [SQLiteReader] {
    var taken: [SQLiteReader] = []
    while taken.count < readers.count, let reader = try? await freeReaders.take(within: limit) {
      taken.append(reader)
    }
    return taken
  }

  // MARK: The log

  /// Empties the log, which SQLite cannot begin anew while one reader or another is always at work.
  private func emptyLog() async {
    let taken = await holdReaders(for: SQLiteLog.patience)
    if taken.count == readers.count { try? await writer.emptyLog() }
    for reader in taken { freeReaders.giveBack(reader) }
    writer.log.wasTried()
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
  } catch is WaitedTooLong {
    throw StorageFailure.waitedTooLong
  }
}
