internal import CStorekeeperSQLite
internal import JSONValues
internal import StorekeeperLocks
internal import SQLStorage

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An open database file, closed by `deinit`.
///
/// One thread at a time uses it, and errors are read right after the failing call.
@safe
final class SQLiteDatabase {
  private let handle: OpaquePointer
  /// The texts that the running statement is bound to.
  let texts = TextRoom()

  init(path: String) throws(SQLFailure) {
    guard !path.utf8.contains(0) else {
      throw .other(code: Int(SQLITE_CANTOPEN), detail: "the path has a zero byte")
    }
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = Self.opening.withLock { _ in
      Self.create(path)
      return unsafe sqlite3_open_v2(path, &opened, flags, nil)
    }
    guard let opened = unsafe opened else {
      throw .unavailable(mayHaveCommitted: false, detail: "SQLite could not be started")
    }
    // SQLite returns a handle even if opening fails; it holds the error's text.
    unsafe handle = opened
    unsafe sqlite3_extended_result_codes(handle, 1)
    if code != SQLITE_OK { throw failure(code) }
  }

  /// A lock that keeps connections from opening a file while another one creates it.
  ///
  /// A process loses its locks on a file when it closes any descriptor of it. (ThreadSanitizer
  /// wants a lock around a value.)
  private static let opening = Locked(0)

  /// Creates a missing file, readable by its owner alone.
  ///
  /// SQLite gives the companion files the same mode. Errors are left to SQLite to report.
  private static func create(_ path: String) {
    guard !path.isEmpty, path != ":memory:" else { return }
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  private let work = ShortWork()
  private var isLimited = false

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Sets the time that a statement waits for another process.
  func wait(upTo timeout: Duration) {
    unsafe sqlite3_busy_timeout(handle, timeout.wholeMilliseconds)
  }

  /// Compiles a statement for frequent use.
  func prepare(_ sql: String) throws(SQLFailure) -> SQLitePreparedStatement {
    var prepared: OpaquePointer?
    let code = unsafe sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared = unsafe prepared else { throw failure(code) }
    return unsafe SQLitePreparedStatement(owning: prepared, of: self)
  }

  /// Limits the work of the next statements, of all together.
  ///
  /// The statement that exceeds it fails with ``SQLFailure/isInterruption``.
  func limitWork(_ isLimited: Bool) {
    work.begin()
    self.isLimited = isLimited
    guard isLimited else { return unsafe sqlite3_progress_handler(handle, 0, nil, nil) }
    // SQLite calls it while a statement of this connection runs, and the connection keeps what it is given.
    unsafe sqlite3_progress_handler(
      handle, ShortWork.step,
      { work in
        guard let work = unsafe work else { return 1 }
        return unsafe Unmanaged<ShortWork>.fromOpaque(work).takeUnretainedValue().countStep()
          ? 1 : 0
      }, Unmanaged.passUnretained(work).toOpaque())
  }

  /// Counts the work of a statement that has run, in steps.
  func note(steps: Int32) { work.end(after: Int(steps)) }

  /// Throws if no work is left for a further statement.
  func checkWork() throws(SQLFailure) {
    guard isLimited, work.isUsedUp else { return }
    throw .other(code: Int(SQLITE_INTERRUPT), detail: "too much work for the caller's thread")
  }

  /// Whether the time since the work was limited is longer than short work may take.
  var tookLong: Bool { work.tookLong }

  /// The number of rows that the last statement changed.
  var changes: Int { unsafe Int(sqlite3_changes(handle)) }

  /// Whether a transaction is open; some errors end it.
  var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

  /// Returns the failure of the last call.
  func failure(_ code: Int32) -> SQLFailure {
    SQLFailure(sqlite: code, text: unsafe String(cString: sqlite3_errmsg(handle)))
  }
}

/// The work that a short unit of work may take: so many steps of SQLite's machine, and so long, as a step may read from
/// the disk.
private final class ShortWork {
  /// The steps after which a running statement looks whether any are left.
  static let step: Int32 = 1000
  private static let limit = 20_000
  private static let patience = Duration.milliseconds(2)

  private var left = 0
  /// The steps of the running statement that were counted.
  private var counted = 0
  private var end = ContinuousClock.now

  var isUsedUp: Bool { left <= 0 }

  /// Whether the time is over.
  var tookLong: Bool { .now > end }

  func begin() { (left, counted, end) = (Self.limit, 0, .now + Self.patience) }

  /// Counts the steps of a running statement up to now, and returns whether none are left or the time is over.
  func countStep() -> Bool {
    counted += Int(Self.step)
    return counted >= left || tookLong
  }

  /// Counts all steps of a statement.
  func end(after steps: Int) { (left, counted) = (left - steps, 0) }
}
