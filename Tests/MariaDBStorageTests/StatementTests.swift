import MariaDBStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("Statements in MariaDB", .enabled(if: TestDatabase.isThere))
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
        SQLStatement("echo", "SELECT CAST($2 AS \(type)), 7, '$1 ?', CAST($2 AS \(type)), $1"),
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

  @Test("refuses a text with a zero byte, as every store does")
  func zeroByte() async throws {
    let store = try await TestDatabase().storeWithItems()
    await #expect(throws: StorageFailure.invalidValue(field: "text")) {
      try await store.perform(.writing) { try await $0.insert("a\0b", 1) }
    }
    await store.close()
  }

  @Test("counts the rows that an update found, and those that an insertion wrote")
  func rowCount() async throws {
    let store = try await TestDatabase().storeWithItems()
    let update = SQLStatement("two", "UPDATE item SET value = 2 WHERE \"key\" > $1")
    let upsert = SQLStatement(
      "upsert",
      """
      INSERT INTO item ("key", value) VALUES ($1, $2) ON DUPLICATE KEY UPDATE value = VALUES(value)
      """)
    let counts = try await store.perform(.writing) { connection in
      for key in ["a", "b", "c"] { try await connection.insert(key, 1) }
      var counts: [Int] = []
      for _ in 1...2 { counts.append(try await connection.execute(update, [.text("a")])) }
      for value in [3, 3] as [Int64] {
        counts.append(try await connection.execute(upsert, [.text("a"), .integer(value)]))
      }
      return counts
    }
    #expect(counts == [2, 2, 2, 0])
    await store.close()
  }

  @Test("runs a statement for thousands of lists of values, in their order")
  func manyRows() async throws {
    let store = try await TestDatabase().storeWithItems()
    let rows = (0..<5_000).map { [SQLValue.text("key \($0)"), .integer(Int64($0))] }
    let read = try await store.perform(.writing) { connection in
      try await connection.execute(
        SQLStatement("insert", "INSERT INTO item (\"key\", value) VALUES ($1, $2)"), each: rows)
      return try await connection.run("SELECT \"key\", value FROM item ORDER BY value")
    }
    #expect(read == rows)
    await store.close()
  }

  @Test("texts are compared by their bytes: case, accents and blanks at the end count")
  func collation() async throws {
    let store = try await TestDatabase().storeWithItems()
    let texts = ["a", "A", "á", "a ", "z", "\u{10000}", "\u{ffee}"]
    let read = try await store.perform(.writing) { connection in
      for text in texts { try await connection.insert(text, 1) }
      return try await connection.run("SELECT \"key\" FROM item ORDER BY \"key\"")
    }
    let sorted = texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(read == sorted.map { [.text($0)] })
    await store.close()
  }

  @Test("tells the code of a refused statement, without the values bound to it")
  func refusedStatement() async throws {
    let store = try await TestDatabase().storeWithItems()
    let failure = await #expect(throws: StorageFailure.self) {
      try await store.perform(.writing) { connection in
        try await connection.run(
          "INSERT INTO item (\"key\", value) VALUES ($1, 'a secret')", .text("a secret"))
      }
    }
    #expect(failure == .database(code: 1366, detail: "error 1366 (22007)"))
    await store.close()
  }

  @Test("a connection whose server has no room for another prepared statement gives up its own")
  func preparedLimit() async throws {
    try await TestServer.with { server in
      try await server.set("max_prepared_stmt_count=3")
      let store = try await TestDatabase(on: server.connection).store(connections: 1)
      let answers = try await store.perform(.writing) { connection in
        var answers: [SQLRow] = []
        for number in 1...8 { answers += try await connection.run("SELECT \(number)") }
        return answers
      }
      #expect(answers == (1...8).map { [.integer($0)] })
      await store.close()
    }
  }
}
