import SQLStorage

extension SQLStatement {
  fileprivate static let insertItem = SQLStatement(
    "insert", "INSERT INTO item (\"key\", value) VALUES ($1, $2)")
}

extension SQLConnection {
  /// Runs a statement that is the test's own.
  @discardableResult
  func run(_ sql: String, _ values: SQLValue...) async throws -> [SQLRow] {
    try await query(SQLStatement("test_\(sql.hashValue)", sql), values)
  }

  func insert(_ key: String, _ value: Int64) async throws {
    try await execute(.insertItem, [.text(key), .integer(value)])
  }

  /// Inserts a row with what is sent next, at the latest with the commit.
  func insertLater(_ key: String, _ value: Int64) async throws {
    try await execute(.insertItem, each: [[.text(key), .integer(value)]])
  }

  func value(of key: String) async throws -> Int64? {
    let rows = try await run("SELECT value FROM item WHERE \"key\" = $1", .text(key))
    guard case .integer(let value)? = rows.first?.first else { return nil }
    return value
  }
}
