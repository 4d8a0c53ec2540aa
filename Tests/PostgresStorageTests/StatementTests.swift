import PurchaseStorage
import SQLStorage
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

@Suite(.enabled(if: TestDatabase.isThere))
struct StatementTests {
  @Test(
    "gives back what was bound, whatever is in it",
    arguments: [
      .null, .text(""), .text("it's"), .text(#"back\slash \\ \' \0"#), .text("$1; DROP TABLE item"),
      .text("line\nline\r\ttab \u{1}\u{7f}"), .text("订阅 🧾 é"), .integer(0), .integer(-1),
      .integer(.max), .integer(.min), .text("trailing "), .text(String(repeating: "🧾", count: 70)),
    ] as [SQLValue])
  func roundTrip(value: SQLValue) async throws {
    let store = try await TestDatabase().store(connections: 1)
    let type = if case .integer = value { "BIGINT" } else { "TEXT" }
    let rows = try await store.perform(.reading) { connection in
      try await connection.query(
        SQLStatement(
          "echo", "SELECT CAST($2 AS \(type)), 7, '$1 ?', CAST($2 AS \(type)), CAST($1 AS BIGINT)"),
        [.integer(8), value])
    }
    #expect(rows == [[value, .integer(7), .text("$1 ?"), value, .integer(8)]])
    await store.close()
  }

  @Test("gives back a text longer than any buffer on the way")
  func longText() async throws {
    let text = String(repeating: #"it's \ long "#, count: 300_000)
    let store = try await TestDatabase().store(connections: 1)
    let rows = try await store.perform(.reading) { try await $0.run("SELECT $1", .text(text)) }
    // Not printed when they differ.
    #expect((rows == [[.text(text)]]) == true)
    await store.close()
  }

  @Test("refuses a text with a zero byte, which would be cut there")
  func zeroByte() async throws {
    let store = try await TestDatabase().storeWithItems()
    await #expect(throws: StorageFailure.invalidValue(field: "text")) {
      try await store.perform(.writing) { try await $0.insert("a\0b", 1) }
    }
    await store.close()
  }

  @Test("runs a statement for thousands of lists of values, in their order")
  func manyRows() async throws {
    let store = try await TestDatabase().storeWithItems()
    let rows = (0..<20_000).map { [SQLValue.text("key \($0)"), .integer(Int64($0))] }
    let read = try await store.perform(.writing) { connection in
      try await connection.execute(
        SQLStatement("insert", "INSERT INTO item (\"key\", value) VALUES ($1, $2)"), each: rows)
      return try await connection.run("SELECT \"key\", value FROM item ORDER BY value")
    }
    #expect(read == rows)
    await store.close()
  }

  @Test("runs many statements at once whose values and rows are long")
  func longAtOnce() async throws {
    let store = try await TestDatabase().store(connections: 1)
    let echo = SQLStatement("echo", "SELECT $1")
    let texts = (0..<40).map { String(repeating: "\($0) ", count: 50_000) }
    let answers = try await store.perform(.reading) { connection in
      try await connection.query(texts.map { SQLCall(echo, [.text($0)]) })
    }
    #expect((answers == texts.map { [[.text($0)]] }) == true)
    await store.close()
  }

  @Test("the failure of a row that was kept back is not that of the next unit of work")
  func givenUp() async throws {
    struct GivenUp: Error {}
    let store = try await TestDatabase().storeWithItems(connections: 1)
    let insert = SQLStatement("insert", "INSERT INTO item (\"key\", value) VALUES ($1, $2)")
    let process = try await store.perform(.writing) { connection in
      try await connection.insert("a", 1)
      return try await connection.process()
    }
    await #expect(throws: GivenUp.self) {
      try await store.perform(.writing) { connection in
        try await connection.execute(
          insert, each: [[.text("b"), .integer(2)], [.text("a"), .integer(2)]])
        throw GivenUp()
      }
    }
    let (next, rows) = try await store.perform(.writing) { connection in
      (try await connection.process(), try await connection.run("SELECT \"key\" FROM item"))
    }
    #expect(next == process)
    #expect(rows == [[.text("a")]])
    await store.close()
  }

  @Test("runs nothing for no lists of values")
  func noRows() async throws {
    let store = try await TestDatabase().storeWithItems()
    try await store.perform(.writing) { connection in
      try await connection.execute(SQLStatement("bad", "NOT A STATEMENT"), each: [])
    }
    await store.close()
  }

  @Test("a row that was kept back and fails is told by the next statement, or by the end")
  func failureKeptBack() async throws {
    let store = try await TestDatabase().storeWithItems()
    let insert = SQLStatement("insert", "INSERT INTO item (\"key\", value) VALUES ($1, $2)")
    let rows: [[SQLValue]] = [[.text("a"), .integer(1)], [.text("a"), .integer(2)]]
    for isLast in [true, false] {
      await #expect(throws: StorageFailure.duplicate(.other)) {
        try await store.perform(.writing) { connection in
          try await connection.execute(insert, each: rows)
          guard !isLast else { return }
          try await connection.run("SELECT 1")
        }
      }
    }
    let count = try await store.perform(.reading) { try await $0.run("SELECT count(*) FROM item") }
    #expect(count == [[.integer(0)]])
    await store.close()
  }
}
