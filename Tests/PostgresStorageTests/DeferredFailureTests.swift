import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

/// Failures that the server reports before the end of the unit is sent: libpq sends what was kept back when much
/// has gathered, and the server answers at once when it fails.
@Suite("Rows kept back that fail early", .enabled(if: TestDatabase.isThere))
struct DeferredFailureTests {
  private static let insert = SQLStatement(
    "insert", "INSERT INTO item (key, value) VALUES ($1, $2)")

  /// A megabyte: more than libpq gathers before it sends.
  private static let rows = (0..<4000).map { number in
    [SQLValue.text("\(number) " + String(repeating: "x", count: 200)), .integer(1)]
  }

  @Test("a duplicate among thousands of rows is a duplicate, and the connection goes on")
  func duplicate() async throws {
    let (store, other) = try await stores()
    try await store.perform(.writing) { try await $0.execute(Self.insert, Self.rows[5]) }
    let process = try await store.perform(.reading) { try await $0.process() }
    await #expect(throws: StorageFailure.duplicate(.other)) {
      try await store.perform(.writing) { connection in
        let process = try await connection.process()
        try await connection.execute(Self.insert, each: Self.rows)
        try await other.untilRead(by: process)
      }
    }
    #expect(try await store.perform(.reading) { try await $0.process() } == process)
    await store.close()
    await other.close()
  }

  @Test("a deadlock among them is tried four times in all, then it is a conflict")
  func conflict() async throws {
    let (store, other) = try await stores()
    let runs = Tally()
    await #expect(throws: StorageFailure.conflict) {
      try await store.perform(.writing) { connection in
        runs.add()
        let process = try await connection.process()
        try await connection.execute(Self.say("EXCEPTION", "40P01"), each: [[]])
        try await connection.execute(Self.insert, each: Self.rows)
        try await other.untilRead(by: process)
      }
    }
    #expect(runs.count == 4)
    await store.close()
    await other.close()
  }

  @Test("a warning among them is no farewell: the unit runs once, and is kept")
  func warning() async throws {
    let (store, other) = try await stores()
    let runs = Tally()
    try await store.perform(.writing) { connection in
      runs.add()
      let process = try await connection.process()
      try await connection.execute(Self.say("WARNING", "01000"), each: [[]])
      try await connection.execute(Self.insert, each: Self.rows)
      try await other.untilRead(by: process)
    }
    #expect(runs.count == 1)
    let count = try await other.perform(.reading) { try await $0.run("SELECT count(*) FROM item") }
    #expect(count == [[.integer(4000)]])
    await store.close()
    await other.close()
  }

  private static func say(_ level: String, _ code: String) -> SQLStatement {
    SQLStatement("say", "DO $$ BEGIN RAISE \(level) USING ERRCODE = '\(code)'; END $$")
  }

  /// One with a single connection, and one to look at it.
  private func stores() async throws -> (PostgresStore, PostgresStore) {
    let database = try await TestDatabase()
    return (try await database.storeWithItems(connections: 1), try database.store(connections: 1))
  }
}

extension PostgresStore {
  /// Returns when a process of the server has read all that it was sent, and waits for more.
  fileprivate func untilRead(by process: Int64) async throws {
    let isWaiting = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'ClientRead'"
    while try await perform(.reading, { try await $0.run(isWaiting, .integer(process)) }).isEmpty {
      await Task.yield()
    }
  }
}
