internal import CStorekeeperSQLite
public import PurchaseStorage
public import SQLStorage
internal import StorekeeperLocks

/// A store in an SQLite file, for one machine.
///
/// ```swift
/// let store = try await SQLiteStore(path: "purchases.sqlite")
/// ```
///
/// **When a unit of work has returned, it is on the disk**, unless the configuration says
/// otherwise. One connection writes; units of work that arrive while the disk is busy are committed
/// together. Others read at the same time, each from one snapshot, without blocking the writer or
/// being blocked by it. Several processes of the machine may use the same file.
///
/// Writes, and reads whose statements take long, run on Dispatch's threads, never on those of
/// Swift's tasks. Short reads run where they are called; on threads of the host that may block, long
/// ones do too (``readingInPlace(_:)``). A closure that writes should await nothing but its records,
/// as it holds up every other writer. No closure may begin another unit of work on the same store: a
/// write within a write, or a read within a read when no reader is free, waits for itself until
/// ``SQLiteConfiguration/waitLimit`` ends it.
///
/// While the file is open it has two companions, whose names end in `-wal` and `-shm`; they are
/// part of it. All three are accessible to their owner alone, if the store created them. The
/// write-ahead log (`-wal`) grows beyond 16 MiB while a reading unit of work waits for something,
/// and shrinks after that. Do not put the file on a network file system.
///
/// Call ``close()`` before you release a store: otherwise `deinit` closes the file and blocks its
/// thread for the disk.
public final class SQLiteStore: AttemptCountingStore {
  private struct Closed: Sendable {}

  let writer: SQLiteWriter
  public let capabilities: Set<StoreCapability>
  private let readers: [SQLiteReader]
  private let freeReaders: WaitingLine<SQLiteReader>
  private let waitLimit: Duration
  private let isClosing = Locked(false)
  /// The callers that wait until the store is closed.
  private let closers = WaitingLine<Closed>([])

  /// Opens or creates the file, and migrates it to the current schema.
  ///
  /// - Parameters:
  ///   - path: The path of the file, in an existing directory.
  ///   - capabilities: The capabilities whose tables the file is to have, besides
  ///     ``/SQLStorage/SQLCapability/purchases``. A file keeps those that it has. All processes that
  ///     share a file give the same ones.
  ///   - configuration: The settings of the store.
  /// - Throws: `StorageFailure.newerSchema` for a file of a later version of this library;
  ///   `StorageFailure.database` for a file that is no database, belongs to another program or is
  ///   read-only; `StorageFailure.unavailable` if no file can be created; `StorageFailure.conflict`
  ///   if another process locks it for longer than the configured time; `CancellationError` if the
  ///   task is cancelled during that wait.
  public init(
    path: String, capabilities: Set<SQLCapability> = SQLCapability.standard,
    configuration: SQLiteConfiguration = SQLiteConfiguration()
  ) async throws {
    let writer = SQLiteWriter(path: path, configuration: configuration)
    let present = try await throwingStorageFailures { try await writer.open(with: capabilities) }
    let readers = (0..<max(1, configuration.readers)).map { _ in
      SQLiteReader(path: path, configuration: configuration, capabilities: present)
    }
    try await throwingStorageFailures {
      for reader in readers { try await reader.open() }
    }
    self.writer = writer
    self.capabilities = SQLCapability.served(by: present)
    self.readers = readers
    freeReaders = WaitingLine(readers)
    waitLimit = configuration.waitLimit
  }

  /// Runs a unit of work that reads one snapshot, concurrently with those that write.
  ///
  /// It may run more than once. A write in it throws `StorageFailure.database`.
  ///
  /// - Throws: Errors of `body`; `CancellationError` if the task is cancelled while no reader is
  ///   free; `StorageFailure`.
  public func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await read(counting: UnitAttempts(), body)
  }

  /// As ``read(_:)``, noting each attempt, and the wait for a reader.
  package func read<Result: Sendable>(
    counting attempts: borrowing UnitAttempts, _ body: UnitOfWorkBody<Result>
  ) async throws -> Result {
    try checkOpen()
    do {
      let reader: SQLiteReader
      if let free = freeReaders.takeNow() {
        reader = free
      } else {
        reader = try await freeReader(counting: attempts)
      }
      defer { freeReaders.giveBack(reader) }
      return try await reader.read { records in
        attempts.begin()
        return try await body(records.unit)
      }
    } catch {
      throw storageFailure(error)
    }
  }

  /// Waits for a reader.
  private func freeReader(counting attempts: borrowing UnitAttempts) async throws -> SQLiteReader {
    let start = ClockMoment.now
    let reader = try await freeReaders.take(within: waitLimit)
    attempts.wait(start.duration(to: .now))
    return reader
  }

  /// Runs a unit of work that reads and writes; it is committed as a whole or not at all, one after
  /// the other.
  ///
  /// It may run more than once.
  ///
  /// - Throws: Errors of `body`; `CancellationError` if the task is cancelled before its turn;
  ///   `StorageFailure`.
  public func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await writeRecords { try await body($0.unit) }
  }

  /// As ``write(_:)``, showing the connection too.
  package func writeRecords<Result: Sendable>(
    _ body: SQLRecordsBody<Result>
  ) async throws -> Result {
    try checkOpen()
    writer.asked.withLock { $0 += 1 }
    defer {
      writer.asked.withLock { $0 -= 1 }
      if writer.log.takeDue() { Task { await emptyLog() } }
    }
    return try await throwingStorageFailures { try await writer.write(body) }
  }

  /// The number of units of work that wait to write.
  package var waiting: Int { writer.line.count }

  /// The number of units of work that wait for a reader.
  package var waitingToRead: Int { freeReaders.count }

  private func checkOpen() throws {
    if isClosing.withLock({ $0 }) { throw StorageFailure.closed }
  }

  // MARK: Closing

  /// Closes the file after the units of work that came before.
  ///
  /// Later ones throw `StorageFailure.unavailable`. Several callers may wait for the same closing,
  /// which continues if one of them is cancelled.
  ///
  /// - Throws: `CancellationError` if the task is cancelled while it waits; the file is still
  ///   closed as soon as the units of work have ended.
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

  /// Takes the readers as their units of work end: all of them, unless one exceeds the limit.
  private func holdReaders(for limit: Duration?) async -> [SQLiteReader] {
    var taken: [SQLiteReader] = []
    while taken.count < readers.count, let reader = try? await freeReaders.take(within: limit) {
      taken.append(reader)
    }
    return taken
  }

  // MARK: The log

  /// Empties the write-ahead log, which SQLite cannot restart while there is always some reader at
  /// work.
  private func emptyLog() async {
    let taken = await holdReaders(for: WriteAheadLog.patience)
    if taken.count == readers.count { try? await writer.emptyLog() }
    for reader in taken { freeReaders.giveBack(reader) }
    writer.log.wasTried()
  }
}

/// The closure of a unit of work on a connection.
package typealias SQLRecordsBody<Result> =
  nonisolated(nonsending) @Sendable (SQLRecords) async throws -> Result

/// Runs an operation, and converts its SQLite failures to those of a store.
private nonisolated(nonsending) func throwingStorageFailures<Result>(
  _ body: nonisolated(nonsending) () async throws -> Result
) async throws -> Result {
  do {
    return try await body()
  } catch {
    throw storageFailure(error)
  }
}

/// Returns the failure of a store for one of SQLite's; others stay as they are.
private func storageFailure(_ error: any Error) -> any Error {
  switch error {
  case let failure as SQLFailure: StorageFailure(failure)
  case is StillBusy: StorageFailure.conflict
  case is WaitedTooLong: StorageFailure.waitedTooLong
  default: error
  }
}

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SQLiteStore {
  /// Tests whether a commit reaches the disk, and whether the disk has room for more.
  ///
  /// It rewrites the first page of the file unchanged. As the write-ahead log may have room when
  /// the disk has none, it also writes a quarter of a MiB to an unnamed temporary file beside it.
  ///
  /// - Throws: `StorageFailure`; `CancellationError` if the task is cancelled while it waits.
  public func tryWriting() async throws {
    try await writeRecords { records in _ = try await records.connection.execute(.signAgain, []) }
    try await writer.checkRoom()
  }
}

extension SQLiteWriter {
  /// Runs on the writer's thread, which may block.
  fileprivate func checkRoom() throws { try DiskRoom.check(beside: path) }
}

extension SQLStatement {
  fileprivate static let signAgain = SQLStatement(
    "sign_again", "PRAGMA application_id = \(SQLiteFile.applicationID)")
}

/// A test for free space on a disk.
private enum DiskRoom {
  /// Writes a quarter of a MiB to an unnamed temporary file beside another.
  static func check(beside path: String) throws(StorageFailure) {
    var name = Array("\(path)-room.XXXXXX".utf8CString)
    let file = unsafe mkstemp(&name)
    guard file >= 0 else { throw failure(errno) }
    defer { close(file) }
    unsafe unlink(name)
    let piece = [UInt8](repeating: 0x55, count: 1 << 16)
    for _ in 0..<4 {
      guard unsafe write(file, piece, piece.count) == piece.count else { throw failure(errno) }
    }
  }

  private static func failure(_ code: Int32) -> StorageFailure {
    let detail = "no room beside the file: error \(code)"
    guard code == ENOSPC || code == EDQUOT else {
      return .unavailable(mayHaveCommitted: false, detail: detail)
    }
    return .database(code: Int(SQLITE_FULL), detail: detail)
  }
}

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

extension SQLiteStore {
  /// Runs units of work that read, and begin in a closure, on the current thread, however long they take.
  ///
  /// Otherwise one whose statements take long is begun again on a thread of the store. Use it on threads that
  /// may block, such as those of a server that is not built on Swift's tasks; never on Swift's own threads or an
  /// event loop.
  ///
  /// ```swift
  /// SQLiteStore.readingInPlace {
  ///   Task.immediate { answer(await handler.respond(to: request)) }
  /// }
  /// ```
  ///
  /// While another process is in the way, or no reader is free, they wait on the store's threads as
  /// usual. Work that the closure passes to other threads is not affected, nor is work that a task
  /// begins after its first suspension. A unit of work that awaits anything besides its records
  /// resumes on Swift's threads and would block them, so it should not.
  public static func readingInPlace<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try ReadingInPlace.allow(body)
  }
}

/// The mark of threads that may block.
enum ReadingInPlace {
  private static let mark: pthread_key_t? = {
    var key = pthread_key_t()
    return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Whether the current thread is marked.
  static var isAllowed: Bool {
    guard let mark else { return false }
    return unsafe pthread_getspecific(mark) != nil
  }

  static func allow<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let mark else { return try body() }
    let before = unsafe pthread_getspecific(mark)
    unsafe pthread_setspecific(mark, UnsafeRawPointer(bitPattern: 1))
    defer { unsafe pthread_setspecific(mark, before) }
    return try body()
  }
}
