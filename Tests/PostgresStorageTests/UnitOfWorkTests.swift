import PurchaseStorage
import SQLStorage
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

@Suite(.enabled(if: TestDatabase.isThere))
struct UnitOfWorkTests {
  private struct Refusal: Error, Equatable {}

  @Test("keeps nothing when the closure throws, and throws the same")
  func rollback() async throws {
    let store = try await TestDatabase().storeWithItems(connections: 1)
    await #expect(throws: Refusal()) {
      try await store.perform(.writing) { connection in
        try await connection.insert("a", 1)
        throw Refusal()
      }
    }
    let value = try await store.perform(.reading) { try await $0.value(of: "a") }
    #expect(value == nil)
    await store.close()
  }

  @Test("keeps nothing when the closure hides a failure")
  func hiddenFailure() async throws {
    let store = try await TestDatabase().storeWithItems()
    await #expect(throws: StorageFailure.duplicate(.other)) {
      try await store.perform(.writing) { connection in
        try await connection.insert("a", 1)
        do { try await connection.insert("a", 2) } catch {}
      }
    }
    let value = try await store.perform(.reading) { try await $0.value(of: "a") }
    #expect(value == nil)
    await store.close()
  }

  @Test("a reader sees one state, whatever ends meanwhile")
  func snapshot() async throws {
    let store = try await TestDatabase().storeWithItems()
    let seen = try await store.perform(.reading) { reader in
      let before = try await reader.value(of: "a")
      try await store.perform(.writing) { try await $0.insert("a", 1) }
      return [before, try await reader.value(of: "a")]
    }
    #expect(seen == [nil, nil])
    let after = try await store.perform(.reading) { try await $0.value(of: "a") }
    #expect(after == 1)
    await store.close()
  }

  @Test("nobody sees what has not ended")
  func isolation() async throws {
    let store = try await TestDatabase().storeWithItems()
    let seen = try await store.perform(.writing) { writer in
      try await writer.insert("a", 1)
      return try await store.perform(.writing) { try await $0.value(of: "a") }
    }
    #expect(seen == nil)
    await store.close()
  }

  @Test("a reader cannot write")
  func readOnly() async throws {
    let store = try await TestDatabase().storeWithItems()
    let failure = await #expect(throws: StorageFailure.self) {
      try await store.perform(.reading) { try await $0.insert("a", 1) }
    }
    guard case .database(let code, _) = failure else {
      Issue.record("another failure: \(String(describing: failure))")
      return
    }
    #expect(code == TestDatabase.readOnlyCode)
    await store.close()
  }

  @Test("the connection goes on after a failure")
  func goesOn() async throws {
    let store = try await TestDatabase().storeWithItems(connections: 1)
    for _ in 0..<3 {
      await #expect(throws: StorageFailure.self) {
        try await store.perform(.writing) { try await $0.run("SELECT no_such_column") }
      }
      try await store.perform(.writing) { _ in }
    }
    let connections = try await store.perform(.reading) { connection in
      try await connection.run("SELECT 1")
    }
    #expect(connections == [[.integer(1)]])
    await store.close()
  }
}
