import MariaDBStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("Prepared statements in MariaDB", .enabled(if: TestDatabase.isThere))
struct PreparedStatementTests {
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
