import Foundation
import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("The promises that a store asks for at its start", .enabled(if: TestServer.isThere))
struct GuaranteeTests {
  @Test(
    "a pooler that lends sessions for a transaction is refused by name, at every start",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/pgbouncer")))
  func transactionPooling() async throws {
    try await TestServer.with { server in
      let pooled = try await server.pool("transaction")
      for _ in 0..<5 {
        await #expect(throws: StorageFailure.guaranteeMissing(.ownSession)) {
          try await PostgresStore(connection: pooled, configuration: TestDatabase.patient)
        }
      }
      // It also is while others use the pooler.
      let direct = try await PostgresStore(
        connection: server.connection, configuration: TestDatabase.patient)
      await direct.close()
      await #expect(throws: StorageFailure.guaranteeMissing(.ownSession)) {
        try await PostgresStore(connection: pooled, configuration: TestDatabase.patient)
      }
    }
  }

  @Test(
    "one that lends them for a connection is as good as none",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/sbin/pgbouncer")))
  func sessionPooling() async throws {
    try await TestServer.with { server in
      let pooled = try await server.pool("session")
      for _ in 0..<3 {
        var configuration = TestDatabase.patient
        configuration.connectionLimit = 4
        let store = try await PostgresStore(connection: pooled, configuration: configuration)
        try await withThrowingTaskGroup { group in
          for _ in 0..<50 {
            group.addTask { try await store.tryWriting() }
          }
          try await group.waitForAll()
        }
        await store.close()
      }
    }
  }

  @Test("a unique key that the server does not enforce is missing")
  func invalidKey() async throws {
    let database = try await TestDatabase()
    let store = try await database.storeWithItems()
    try await store.perform(.writing) { connection in
      try await connection.insert("a", 1)
      try await connection.insert("b", 1)
    }
    // Outside of a transaction, as only there an interrupted index stays.
    _ = try? await store.perform(.reading) { connection in
      try await connection.run("COMMIT")
      try await connection.run("CREATE UNIQUE INDEX CONCURRENTLY item_value ON item (value)")
    }
    await #expect(throws: StorageFailure.guaranteeMissing(.uniqueKeys)) {
      try await PostgresStore(
        connection: database.connection, configuration: TestDatabase.patient)
    }
    await store.close()
  }
}
