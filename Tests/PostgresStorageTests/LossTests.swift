import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite(.enabled(if: TestDatabase.isThere))
struct LossTests {
  /// Ends a connection, and waits until it is gone.
  private func terminate(_ process: Int64, through store: PostgresStore) async throws {
    let kill = "SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1"
    var isThere = true
    while isThere {
      isThere = try await store.perform(.reading) {
        try await !$0.run(kill, .integer(process)).isEmpty
      }
    }
  }

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
      try await terminate(process, through: store)
    }
    #expect(runs.count == 2)
    #expect(Set(processes.numbers).count == 2)
    let keys = try await store.perform(.reading) { try await $0.run("SELECT key FROM item") }
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
        try await terminate(process, through: store)
        try await connection.insert("after", 1)
      }
    }
    #expect(failure?.mayHaveCommitted == false)
    #expect(runs.count == 2)
    let keys = try await store.perform(.reading) { try await $0.run("SELECT key FROM item") }
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
      try await terminate(process, through: other)
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
    try await terminate(process, through: other)
    try await store.perform(.writing) { try await $0.insert("b", 2) }
    let count = try await other.perform(.reading) { try await $0.run("SELECT count(*) FROM item") }
    #expect(count == [[.integer(2)]])
    await store.close()
    await other.close()
  }

  @Test(
    "a connection that is lost during the end leaves open whether it was kept; nothing is repeated")
  func lostDuringCommit() async throws {
    let database = try await TestDatabase()
    let store = try await database.storeWithItems()
    try await store.holdEnds(of: "item")
    let runs = Tally()
    let failure = try await store.perform(.writing) { holder in
      // The end of the other unit waits for this lock.
      try await holder.holdEnd()
      let unit = Task {
        try await store.perform(.writing) { connection in
          try await connection.insert("run \(runs.add())", 1)
        }
      }
      try await holder.terminateWhoEnds()
      return await #expect(throws: StorageFailure.self) { try await unit.value }
    }
    #expect(failure?.mayHaveCommitted == true)
    #expect(runs.count == 1)
    await store.close()
  }
}

extension StorageFailure {
  /// Whether the unit of work may have been kept; nil for failures that leave no doubt.
  var mayHaveCommitted: Bool? {
    guard case .unavailable(let mayHaveCommitted, _) = self else { return nil }
    return mayHaveCommitted
  }
}
