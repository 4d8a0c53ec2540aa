import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite(.enabled(if: TestDatabase.isThere))
struct PreparedStatementTests {
  @Test("rows that were kept back are undone with the unit, whether or not they fail")
  func undoneKeptBack() async throws {
    struct Refusal: Error {}
    let store = try await TestDatabase().storeWithItems(connections: 1)
    let insert = SQLStatement("insert", "INSERT INTO item (\"key\", value) VALUES ($1, $2)")
    for keys in [["a", "b"], ["a", "a"]] {
      await #expect(throws: Refusal.self) {
        try await store.perform(.writing) { connection in
          try await connection.execute(insert, each: keys.map { [.text($0), .integer(1)] })
          throw Refusal()
        }
      }
    }
    try await store.perform(.writing) { try await $0.insert("c", 1) }
    let keys = try await store.perform(.reading) { try await $0.run("SELECT \"key\" FROM item") }
    #expect(keys == [[.text("c")]])
    await store.close()
  }

  @Test("counts the rows that a statement changed")
  func rowCount() async throws {
    let store = try await TestDatabase().storeWithItems()
    let count = try await store.perform(.writing) { connection in
      for key in ["a", "b", "c"] { try await connection.insert(key, 1) }
      return try await connection.execute(
        SQLStatement("two", "UPDATE item SET value = 2 WHERE \"key\" > $1"), [.text("a")])
    }
    #expect(count == 2)
    await store.close()
  }

  @Test("has a statement prepared once for a connection")
  func preparedOnce() async throws {
    let store = try await TestDatabase().storeWithItems(connections: 1)
    for key in ["a", "b", "c"] {
      try await store.perform(.writing) { try await $0.insert(key, 1) }
    }
    let prepared = try await store.perform(.reading) { connection in
      try await connection.run(
        "SELECT generic_plans + custom_plans FROM pg_prepared_statements WHERE name = 'insert'")
    }
    #expect(prepared == [[.integer(3)]])
    await store.close()
  }

  @Test("tells the code of a refused statement, without the values bound to it")
  func refusedStatement() async throws {
    let store = try await TestDatabase().storeWithItems()
    let failure = await #expect(throws: StorageFailure.self) {
      try await store.perform(.writing) { connection in
        try await connection.run("SELECT CAST($1 AS TEXT)::BIGINT", .text("a secret"))
      }
    }
    #expect(failure == .database(code: 3_484_946, detail: "SQLSTATE 22P02"))
    #expect(Int("22P02", radix: 36) == 3_484_946)
    await store.close()
  }
}
