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

  @Test("among others each statement has the rows that its text tells")
  func rowsAmongOthers() async throws {
    let store = try await TestDatabase().store(connections: 1)
    try await store.migrate()
    let after = SQLStatement("after", "SELECT 7")
    var run = 0
    for statement in SQLStatement.all(.mariadb) {
      let sql = statement.text(.mariadb)
      var values = Array(
        repeating: SQLValue.text("1"),
        count: sql.matches(of: /\$(\d+)/).compactMap { Int($0.1) }.max() ?? 0)
      for match in sql.matches(of: /(JSON_TABLE\(|LIMIT |OFFSET )\$(\d+)/) {
        guard let number = Int(match.2) else { continue }
        values[number - 1] = match.1.hasPrefix("JSON") ? .text("[\"1\"]") : .integer(1)
      }
      let bound = values
      do {
        try await store.perform(.writing) { connection in
          let answers = try await connection.query([
            SQLCall(statement, bound), SQLCall(after, []),
          ])
          #expect(answers.last == [[.integer(7)]], "\(statement.name)")
          throw Undone()
        }
      } catch is Undone {
        run += 1
      } catch StorageFailure.unavailable(_, let detail) {
        Issue.record("\(statement.name): \(detail)")
      } catch is StorageFailure {
        // Some values are no numbers, or break a constraint.
      }
    }
    #expect(run > 120)
    await store.close()
  }

  private struct Undone: Error {}

  @Test("of several statements the one that met a duplicate key names its table")
  func duplicateAmongOthers() async throws {
    let store = try await TestDatabase().store(connections: 1)
    try await store.migrate()
    let member = SQLStatement("member", "INSERT INTO ftc_vip (vip_id) VALUES ($1)")
    let claim = SQLStatement(
      "claim", "INSERT INTO subscription_claims (purchase_key, vendor, user_id) VALUES ($1, $1, $1)"
    )
    for (statements, field) in [
      ([claim, member, member, claim], StorageFailure.UniqueField.accountID),
      ([member, claim, claim, member], .other),
    ] {
      await #expect(throws: StorageFailure.duplicate(field)) {
        try await store.perform(.writing) { connection in
          for statement in statements {
            try await connection.execute(statement, each: [[.text("one")]])
          }
        }
      }
    }
    let rows = try await store.perform(.reading) {
      try await $0.run(
        "SELECT vip_id FROM ftc_vip UNION ALL SELECT user_id FROM subscription_claims")
    }
    #expect(rows == [])
    await store.close()
  }
}
