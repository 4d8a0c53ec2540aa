import MariaDBStorage
import PurchaseStorage
import SQLStorage
import StorekeeperFixtures
import Testing

@Suite(.enabled(if: TestDatabase.isThere))
struct KeptBackTests {
  private static let add = SQLStatement(
    "add", "UPDATE item SET value = value + 1 WHERE \"key\" = $1")
  private static let insert = SQLStatement(
    "insert", "INSERT INTO item (\"key\", value) VALUES ($1, $2)")

  // After a deadlock the server has rolled back, and runs what else it was sent in another transaction.
  @Test("of rows kept back none stays after a deadlock among them, and the unit runs again")
  func deadlock() async throws {
    let store = try await TestDatabase().storeWithItems()
    try await store.perform(.writing) { connection in
      for key in ["a", "b"] { try await connection.insert(key, 0) }
    }
    let (locked, othersLocked, isDone) = (Gate(), Gate(), Gate())
    let runs = Tally()
    async let unit: Void = store.perform(.writing) { connection in
      let run = runs.add()
      if run > 1 { await isDone.wait() }
      try await connection.execute(Self.add, [.text("a")])
      locked.open()
      await othersLocked.wait()
      try await connection.execute(Self.add, each: [[.text("b")]])
      try await connection.execute(Self.insert, each: [[.text("run \(run)"), .integer(1)]])
    }
    // The server gives up the unit that has changed less.
    try await store.perform(.writing) { connection in
      for number in 0..<50 { try await connection.insert("other \(number)", 1) }
      try await connection.execute(Self.add, [.text("b")])
      othersLocked.open()
      await locked.wait()
      try await connection.execute(Self.add, [.text("a")])
    }
    isDone.open()
    try await unit
    #expect(runs.count == 2)
    let (keys, values) = try await store.perform(.reading) { connection in
      (
        try await connection.run("SELECT \"key\" FROM item WHERE \"key\" LIKE 'run%'"),
        [try await connection.value(of: "a"), try await connection.value(of: "b")]
      )
    }
    #expect(keys == [[.text("run 2")]])
    #expect(values == [2, 2])
    await store.close()
  }
}
