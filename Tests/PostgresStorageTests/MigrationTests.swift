import Foundation
import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite(.enabled(if: TestDatabase.isThere))
struct MigrationTests {
  @Test("of many that open the same empty database at once, one brings it to its shape")
  func concurrentOpening() async throws {
    let database = try await TestDatabase()
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          try await PostgresStore(
            connection: database.connection, configuration: TestDatabase.patient
          ).close()
        }
      }
      try await group.waitForAll()
    }
    try await expectMigratedOnce(database)
  }

  @Test("more than a process has threads for may open it at once", .timeLimit(.minutes(30)))
  func crowd() async throws {
    let database = try await TestDatabase()
    try await withThrowingTaskGroup { group in
      for _ in 0..<300 {
        group.addTask {
          try await PostgresStore(
            connection: database.connection, configuration: TestDatabase.patient
          ).close()
        }
      }
      try await group.waitForAll()
    }
    try await expectMigratedOnce(database)
  }

  // On a server of its own: the threads on which this process waits for the others would be missing to a
  // test that holds the lock which they wait for.
  @Test("so do processes", .enabled(if: TestServer.isThere))
  func concurrentProcesses() async throws {
    try await TestServer.with { server in
      let database = try await TestDatabase(on: server.connection)
      let connection = database.connection
      await withTaskGroup { group in
        for _ in 0..<4 {
          group.addTask {
            await #expect(processExitsWith: .success) { [connection = connection as String] in
              try await PostgresStore(connection: connection, configuration: TestDatabase.patient)
                .close()
            }
          }
        }
      }
      try await expectMigratedOnce(database)
    }
  }

  private func expectMigratedOnce(_ database: TestDatabase) async throws {
    let store = try database.store()
    let numbers = try await store.perform(.reading) {
      try await $0.run(
        "SELECT capability, number FROM storekeeper_migration ORDER BY capability, number")
    }
    let expected: [SQLRow] = [SQLCapability.purchases, .subscriptions].flatMap {
      capability in
      capability.migrations.map { [.text(capability.name), .integer(Int64($0.number))] }
    }
    #expect(numbers == expected)
    await store.close()
  }

  @Test("a database of a newer version is refused and left alone")
  func newerSchema() async throws {
    let database = try await TestDatabase()
    try await PostgresStore(connection: database.connection, configuration: TestDatabase.patient)
      .close()
    let store = try database.store()
    try await store.perform(.writing) {
      try await $0.run(
        "INSERT INTO storekeeper_migration VALUES ('purchases', 9999, 'of the future', 0)")
    }
    await store.close()
    await #expect(throws: StorageFailure.newerSchema(9999)) {
      try await PostgresStore(connection: database.connection, configuration: TestDatabase.patient)
    }
  }

  @Test("a step that fails leaves nothing behind")
  func failingStep() async throws {
    let database = try await TestDatabase()
    let store = try database.store()
    let steps = SQLCapability(
      name: "test",
      migrations: [
        SQLMigration(number: 1, name: "good") { _ in ["CREATE TABLE good (key TEXT)"] },
        SQLMigration(number: 2, name: "bad") { _ in ["CREATE TABLE bad (key NO_SUCH_TYPE)"] },
      ])
    await #expect(throws: StorageFailure.self) { try await store.migrate([steps]) }
    let tables = try await store.perform(.reading) {
      try await $0.run(
        "SELECT count(*) FROM pg_tables WHERE schemaname = $1", .text(database.name))
    }
    #expect(tables == [[.integer(0)]])
    await store.close()
  }

  @Test(
    "a role that may read and write rows, and nothing else, opens a migrated database",
    .enabled(if: TestDatabase.isOwn))
  func rightsOnRows() async throws {
    let database = try await TestDatabase()
    let owner = try await PostgresStore(
      connection: database.connection, configuration: TestDatabase.patient)
    let schema = database.name
    try await owner.perform(.writing) { connection in
      try await connection.run("GRANT USAGE ON SCHEMA \(schema) TO guarded")
      try await connection.run(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema) TO guarded")
    }
    let store = try await PostgresStore(
      connection: "\(database.connection) user=guarded password=correct",
      configuration: TestDatabase.patient)
    #expect(try await store.write { try await $0.outbox.unsentCount() } == 0)
    await store.close()
    await owner.close()
  }

  @Test(
    "a migrated database is opened without waiting for one who migrates", .timeLimit(.minutes(30)))
  func noLock() async throws {
    let database = try await TestDatabase()
    try await PostgresStore(connection: database.connection, configuration: TestDatabase.patient)
      .close()
    // Other tests migrate in this database too, and hold the lock while they do.
    let store = try database.store {
      $0.lockLimit = .seconds(110)
      $0.statementLimit = .seconds(110)
    }
    try await store.perform(.writing) { connection in
      try await connection.run("SELECT pg_advisory_xact_lock(8319396948778643570)")
      try await PostgresStore(connection: database.connection, configuration: TestDatabase.patient)
        .close()
    }
    await store.close()
  }
}
