internal import PurchaseStorage
internal import SQLStorage

/// A connection that only reads, away from Swift's threads; used by one unit of work at a time.
actor SQLiteReader {
  private let executor = BlockingExecutor(label: "storekeeper.sqlite.reader")
  private let path: String
  private let configuration: SQLiteConfiguration
  /// Nil before the first unit of work, and after one that could not be ended.
  private var connection: SQLiteConnection?
  private var isClosed = false

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// A reader of a file that the writer prepares.
  init(path: String, configuration: SQLiteConfiguration) {
    self.path = path
    self.configuration = configuration
  }

  /// Opens the file if it is not open.
  func open() throws { _ = try connected() }

  private func connected() throws -> SQLiteConnection {
    if let connection { return connection }
    guard !isClosed else { throw StorageFailure.closed }
    let connection = try SQLiteConnection(path: path, configuration: configuration)
    try connection.run("PRAGMA query_only = ON")
    self.connection = connection
    return connection
  }

  /// Closes the file.
  func close() {
    isClosed = true
    connection = nil
  }

  /// Runs a unit of work that sees the state at its beginning; again when another process was in the
  /// way, at most three times.
  func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result {
    var conflicts = 0
    while true {
      do {
        return try await unitOfWork(body)
      } catch let error where conflicts < 3 && error.isConflict {
        conflicts += 1
      }
    }
  }

  private func unitOfWork<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result {
    let connection = try connected()
    connection.forgetFailure()
    try connection.run(.begin)
    defer { end(connection) }
    let result = try await body(SQLRecords(connection, access: .reading))
    if let failure = connection.failure { throw failure }
    return result
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

extension SQLStatement {
  fileprivate static let begin = SQLStatement("begin", "BEGIN")
  fileprivate static let end = SQLStatement("end", "ROLLBACK")
}
