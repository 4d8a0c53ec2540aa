import PurchaseStorage
import SQLStorage
import StorekeeperFixtures
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

@Suite(.enabled(if: TestDatabase.isThere))
struct ConflictTests {
  private static let add = "UPDATE item SET value = value + 1 WHERE \"key\" = $1"
  private static let lock = "SELECT value FROM item WHERE \"key\" = $1 FOR UPDATE"

  @Test("of two units that lock in opposite order one is run again, and both succeed")
  func deadlock() async throws {
    let store = try await TestDatabase().storeWithItems()
    try await store.perform(.writing) {
      try await $0.insert("a", 0)
      try await $0.insert("b", 0)
    }
    let gates = (Gate(), Gate())
    let isDone = Gate()
    let runs = Tally()
    let add = { @Sendable (first: String, second: String, mine: Gate, other: Gate) in
      try await store.perform(.writing) { connection in
        // The server may let the one that it chose go first again; so that one waits here.
        if runs.add() > 2 { await isDone.wait() }
        try await connection.run(Self.add, .text(first))
        mine.open()
        await other.wait()
        try await connection.run(Self.add, .text(second))
      }
      isDone.open()
    }
    async let one = add("a", "b", gates.0, gates.1)
    async let other = add("b", "a", gates.1, gates.0)
    _ = try await (one, other)
    #expect(runs.count == 3)
    let values = try await store.perform(.reading) {
      [try await $0.value(of: "a"), try await $0.value(of: "b")]
    }
    #expect(values == [2, 2])
    await store.close()
  }

  @Test("a lock that another keeps is tried four times in all, then it is a conflict")
  func lockTimeout() async throws {
    let store = try await TestDatabase().storeWithItems { $0.lockLimit = TestDatabase.shortLock }
    try await store.perform(.writing) { try await $0.insert("a", 0) }
    let runs = Tally()
    try await store.perform(.writing) { holder in
      try await holder.run(Self.lock, .text("a"))
      await #expect(throws: StorageFailure.conflict) {
        try await store.perform(.writing) { connection in
          runs.add()
          try await connection.run(Self.lock, .text("a"))
        }
      }
    }
    #expect(runs.count == 4)
    await store.close()
  }

  @Test("a key that another unit inserted meanwhile is a duplicate, and the unit runs once")
  func keyInsertedMeanwhile() async throws {
    let store = try await TestDatabase().storeWithItems()
    let runs = Tally()
    await #expect(throws: StorageFailure.duplicate(.other)) {
      try await store.perform(.writing) { connection in
        runs.add()
        let seen = try await connection.value(of: "a")
        try await store.perform(.writing) { try await $0.insert("a", 1) }
        #expect(seen == nil)
        try await connection.insert("a", 2)
      }
    }
    #expect(runs.count == 1)
    await store.close()
  }

  @Test("a key that is there for good is a duplicate")
  func duplicate() async throws {
    let store = try await TestDatabase().storeWithItems()
    try await store.perform(.writing) { try await $0.insert("a", 1) }
    await #expect(throws: StorageFailure.duplicate(.other)) {
      try await store.perform(.writing) { try await $0.insert("a", 2) }
    }
    await store.close()
  }

  @Test("rows that a unit reads to write are locked: nothing added is lost")
  func counters() async throws {
    let store = try await TestDatabase().storeWithItems(connections: 8)
    try await store.perform(.writing) { try await $0.insert("a", 0) }
    try await withThrowingTaskGroup { group in
      for _ in 0..<100 {
        group.addTask {
          try await store.perform(.writing) { connection in
            guard
              case .integer(let value)? = try await connection.run(Self.lock, .text("a"))
                .first?.first
            else { return }
            try await connection.run("UPDATE item SET value = $1", .integer(value + 1))
          }
        }
      }
      try await group.waitForAll()
    }
    let value = try await store.perform(.reading) { try await $0.value(of: "a") }
    #expect(value == 100)
    await store.close()
  }
}
