internal import StorekeeperLocks
internal import PurchaseStorage
internal import SQLStorage

/// A read-only connection, used by one unit of work at a time.
///
/// Units of work run on the calling thread. Unless that may block (see ``SQLiteStore/readingInPlace(_:)``), one
/// whose statements take long is begun again on a thread of the reader.
final class SQLiteReader: @unchecked Sendable {
  // Sendable because the store's pool lends it to one unit of work at a time.
  private let thread = ReadingThread()
  private let path: String
  private let configuration: SQLiteConfiguration
  private let capabilities: Set<SQLCapability>
  /// Nil before the first unit of work, and after one that could not be ended.
  private var connection: SQLiteConnection?
  private var isClosed = false

  /// Creates a reader of a file that the writer prepares.
  init(path: String, configuration: SQLiteConfiguration, capabilities: Set<SQLCapability>) {
    self.path = path
    self.configuration = configuration
    self.capabilities = capabilities
  }

  /// Opens the file unless it is open.
  func open() async throws { try await thread.run { _ = try self.connected() } }

  func close() async {
    isClosed = true
    await thread.run { self.connection = nil }
  }

  /// Runs a unit of work on a snapshot, and repeats it at most three times when another process interferes.
  func read<Result: Sendable>(_ body: SQLRecordsBody<Result>) async throws -> Result {
    var conflicts = 0
    if let connection {
      let isLimited = !ReadingInPlace.isAllowed
      connection.wait(upTo: .zero)
      if isLimited { connection.limitWork(true) }
      defer {
        connection.wait(upTo: configuration.busyTimeout)
        if isLimited { connection.limitWork(false) }
      }
      do {
        let result = try await unitOfWork(on: connection, body)
        // Reads that compute, one after the other, would keep the thread from all other tasks.
        if isLimited, connection.tookLong { await Task.yield() }
        return result
      } catch let error where error.isConflict || connection.failure?.isInterruption == true {
        // The next attempt waits, for another process or for the disk, on the reader's own thread.
        if error.isConflict { conflicts = 1 }
      }
    }
    return try await thread.run { [conflicts] in
      try await self.readPatiently(body, after: conflicts)
    }
  }

  private func readPatiently<Result: Sendable>(
    _ body: SQLRecordsBody<Result>, after conflicts: Int
  ) async throws -> Result {
    var conflicts = conflicts
    while true {
      do {
        return try await unitOfWork(on: try connected(), body)
      } catch let error where conflicts < 3 && error.isConflict {
        conflicts += 1
      }
    }
  }

  private func unitOfWork<Result: Sendable>(
    on connection: SQLiteConnection,
    _ body: SQLRecordsBody<Result>
  ) async throws -> Result {
    connection.forgetFailure()
    try connection.run(.begin)
    defer { end(connection) }
    let result = try await body(
      SQLRecords(connection, access: .reading, capabilities: capabilities))
    if let failure = connection.failure { throw failure }
    return result
  }

  private func connected() throws -> SQLiteConnection {
    if let connection { return connection }
    guard !isClosed else { throw StorageFailure.closed }
    let connection = try SQLiteConnection(path: path, configuration: configuration)
    try connection.run("PRAGMA query_only = ON")
    self.connection = connection
    return connection
  }

  private func end(_ connection: SQLiteConnection) {
    guard connection.isInTransaction else { return }
    do {
      try connection.run(.end)
    } catch {
      // The connection cannot be reset; the next unit of work opens another.
      self.connection = nil
    }
  }
}

/// The thread on which a reader waits for the disk.
private actor ReadingThread {
  private let executor = BlockingExecutor(label: "storekeeper.sqlite.reader")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  func run<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable () async throws -> Result
  ) async rethrows -> Result {
    // Swift 6.3 omits the switch of threads in a method that only calls a function which runs on
    // its caller's executor.
    preconditionIsolated()
    return try await body()
  }
}

extension SQLStatement {
  fileprivate static let begin = SQLStatement("begin", "BEGIN")
  fileprivate static let end = SQLStatement("end", "ROLLBACK")
}
