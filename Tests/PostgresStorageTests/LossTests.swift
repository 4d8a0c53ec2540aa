import PurchaseStorage
import SQLStorage
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

@Suite(.enabled(if: TestDatabase.isThere))
struct LossTests {
  @Test("a unit whose connection is lost before its end runs again on another, and happens once")
  func lostInTheMiddle() async throws {
    let store = try await TestDatabase().storeWithItems()
    let runs = Tally()
    let processes = Series()
    try await store.perform(.writing) { connection in
      let process = try await connection.process()
      processes.append(Int(process))
      try await connection.insert("run \(runs.add())", 1)
      guard runs.count == 1 else { return }
      try await store.terminate(process)
    }
    #expect(runs.count == 2)
    #expect(Set(processes.numbers).count == 2)
    let keys = try await store.perform(.reading) { try await $0.run("SELECT \"key\" FROM item") }
    #expect(keys == [[.text("run 2")]])
    await store.close()
  }

  @Test("a unit that loses its connection twice is not tried again, and nothing is kept")
  func lostTwice() async throws {
    let store = try await TestDatabase().storeWithItems()
    let runs = Tally()
    let failure = await #expect(throws: StorageFailure.self) {
      try await store.perform(.writing) { connection in
        let process = try await connection.process()
        try await connection.insert("run \(runs.add())", 1)
        try await store.terminate(process)
        try await connection.insert("after", 1)
      }
    }
    #expect(failure?.mayHaveCommitted == false)
    #expect(runs.count == 2)
    let keys = try await store.perform(.reading) { try await $0.run("SELECT \"key\" FROM item") }
    #expect(keys == [])
    await store.close()
  }

  @Test("connections that were lost while nobody used them are replaced, also for readers")
  func lostWhileIdle() async throws {
    let database = try await TestDatabase()
    let store = try await database.storeWithItems(connections: 1)
    let other = try database.store(connections: 1)
    for access in [SQLRecords.Access.reading, .writing] {
      let process = try await store.perform(.reading) { try await $0.process() }
      try await other.terminate(process)
      let next = try await store.perform(access) { try await $0.process() }
      #expect(next != process)
    }
    await store.close()
    await other.close()
  }

  @Test("a statement is prepared again after the connection was replaced")
  func preparedAgain() async throws {
    let database = try await TestDatabase()
    let store = try await database.storeWithItems(connections: 1)
    let other = try database.store(connections: 1)
    try await store.perform(.writing) { try await $0.insert("a", 1) }
    let process = try await store.perform(.reading) { try await $0.process() }
    try await other.terminate(process)
    try await store.perform(.writing) { try await $0.insert("b", 2) }
    let count = try await other.perform(.reading) { try await $0.run("SELECT count(*) FROM item") }
    #expect(count == [[.integer(2)]])
    await store.close()
    await other.close()
  }
}

extension StorageFailure {
  /// Whether the unit of work may have been kept; nil for failures that leave no doubt.
  var mayHaveCommitted: Bool? {
    guard case .unavailable(let mayHaveCommitted, _) = self else { return nil }
    return mayHaveCommitted
  }
}
