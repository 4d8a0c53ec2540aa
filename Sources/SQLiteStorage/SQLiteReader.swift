internal import PurchaseStorage
internal import SQLStorage

/// A connection that only reads, on a thread of its own; used by one unit of work at a time.
actor SQLiteReader {
  private let executor = BlockingExecutor(label: "storekeeper.sqlite.reader")
  private var connection: SQLiteConnection?

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Opens a file that the writer has prepared.
  func open(path: String, configuration: SQLiteConfiguration) throws {
    let connection = try SQLiteConnection(path: path, configuration: configuration)
    try connection.run("PRAGMA query_only = ON")
    self.connection = connection
  }

  /// Closes the file.
  func close() { connection = nil }

  /// Runs a unit of work that sees the state at its beginning.
  func read<Result: Sendable>(
    _ body: nonisolated(nonsending) @Sendable (any PurchaseRecords) async throws -> Result
  ) async throws -> Result {
    guard let connection else {
      throw StorageFailure.unavailable(mayHaveCommitted: false, detail: "the store is closed")
    }
    connection.forgetFailure()
    try connection.run(.begin)
    do {
      let result = try await body(SQLRecords(connection, access: .reading))
      if let failure = connection.failure { throw failure }
      try connection.run(.end)
      return result
    } catch {
      if connection.isInTransaction { try connection.run(.end) }
      throw error
    }
  }
}

extension SQLStatement {
  fileprivate static let begin = SQLStatement("begin", "BEGIN")
  fileprivate static let end = SQLStatement("end", "ROLLBACK")
}
