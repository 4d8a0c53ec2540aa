import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("Connections that are of no more use", .enabled(if: TestDatabase.isThere))
struct StaleConnectionTests {
  @Test("a column whose type changed is read on a new connection")
  func changedType() async throws {
    let database = try await TestDatabase()
    let store = try await database.storeWithItems(connections: 1)
    let other = try database.store(connections: 1)
    try await store.perform(.writing) { try await $0.insert("a", 1) }
    #expect(try await store.perform(.reading) { try await $0.value(of: "a") } == 1)
    try await other.perform(.writing) {
      try await $0.run("ALTER TABLE item ALTER COLUMN value TYPE INTEGER")
    }
    #expect(try await store.perform(.reading) { try await $0.value(of: "a") } == 1)
    await store.close()
    await other.close()
  }

  @Test(
    "statements that the server forgot are prepared on a new connection",
    arguments: [SQLRecords.Access.reading, .writing])
  func forgotten(access: SQLRecords.Access) async throws {
    let store = try await TestDatabase().storeWithItems(connections: 1)
    try await store.perform(.writing) { try await $0.insert("a", 1) }
    #expect(try await store.perform(access) { try await $0.value(of: "a") } == 1)
    // This unit's own end was prepared before as well.
    _ = try? await store.perform(access) { try await $0.run("DEALLOCATE ALL") }
    #expect(try await store.perform(access) { try await $0.value(of: "a") } == 1)
    await store.close()
  }

  @Test("a connection that only reads is left for a new one, once")
  func readOnlyServer() async throws {
    let store = try await TestDatabase().storeWithItems(connections: 1)
    let processes = Series()
    let failure = await #expect(throws: StorageFailure.self) {
      try await store.perform(.writing) { connection in
        processes.append(Int(try await connection.process()))
        try await connection.run("SET TRANSACTION READ ONLY")
        try await connection.insert("a", 1)
      }
    }
    #expect(Set(processes.numbers).count == 2)
    #expect(processes.numbers.count == 2)
    guard case .database(let code, _) = failure else {
      Issue.record("another failure: \(String(describing: failure))")
      return
    }
    #expect(code == Int("25006", radix: 36))
    await store.close()
  }
}
