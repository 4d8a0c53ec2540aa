internal import StorekeeperLocks
internal import PurchaseStorage
internal import SQLStorage

/// A connection that only reads, used by one unit of work at a time.
///
/// Units of work run away from Swift's threads, on a thread of the reader's; or where they are begun,
/// if that thread may wait for the disk (see ``SQLiteStore/readingInPlace(_:)``).
final class SQLiteReader: @unchecked Sendable {
  // Sendable because who uses it has taken it from the store's waiting line, which gives it to one at a
  // time.
  private let thread = ReadingThread()
  private let path: String
  private let configuration: SQLiteConfiguration
  private let capabilities: Set<SQLCapability>
  /// Nil before the first unit of work, and after one that could not be ended.
  private var connection: SQLiteConnection?
  private var isClosed = false

  /// A reader of a file that the writer prepares.
  init(
    path: String, configuration: SQLiteConfiguration, capabilities: Set<SQLCapability>
  ) {
    self.path = path
    self.configuration = configuration
    self.capabilities = capabilities
  }

  /// Opens the file if it is not open.
  func open() async throws {
    try await thread.run { _ = try self.connected() }
  }

  /// Closes the file.
  func close() async {
    isClosed = true
    await thread.run { self.connection = nil }
  }

  /// Runs a unit of work that sees the state at its beginning; again when another process was in the
  /// way: in place once, elsewhere at most three times.
  func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (SQLRecords) async throws -> Result
  ) async throws -> Result {
    if ReadingInPlace.isAllowed, let connection {
      connection.wait(upTo: .zero)
      defer { connection.wait(upTo: configuration.busyTimeout) }
      do {
        return try await unitOfWork(on: connection, body)
      } catch let error where error.isConflict {
        // Whoever is in the way is waited for elsewhere.
      }
    }
    return try await thread.run { try await self.readPatiently(body) }
  }

  private func readPatiently<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (SQLRecords) async throws -> Result
  ) async throws -> Result {
    var conflicts = 0
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
    _ body: nonisolated(nonsending) @Sendable (SQLRecords) async throws -> Result
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
      // A connection that cannot let go of its state is of no use; the next unit of work has a new one.
      self.connection = nil
    }
  }
}

/// Where a reader waits for the disk.
private actor ReadingThread {
  private let executor = BlockingExecutor(label: "storekeeper.sqlite.reader")

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  func run<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable () async throws -> Result
  ) async rethrows -> Result {
    // Swift 6.3 leaves out the change of threads in a method that does nothing itself but to call a
    // function which runs where its caller does.
    preconditionIsolated()
    return try await body()
  }
}

extension SQLStatement {
  fileprivate static let begin = SQLStatement("begin", "BEGIN")
  fileprivate static let end = SQLStatement("end", "ROLLBACK")
}
