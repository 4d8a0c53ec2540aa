import MariaDBStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("Migrations in MariaDB", .enabled(if: TestDatabase.isThere), .timeLimit(.minutes(30)))
struct MigrationTests {
  @Test("of many that open the same empty database at once, one brings it to its shape")
  func concurrentOpening() async throws {
    let database = try await TestDatabase()
    try await withThrowingTaskGroup { group in
      for _ in 0..<40 {
        group.addTask {
          do {
            try await database.open().close()
          } catch StorageFailure.database(let code, let detail) {
            Issue.record("\(code): \(detail)")
          }
        }
      }
      try await group.waitForAll()
    }
    try await expectMigratedOnce(database)
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
    try await database.open().close()
    let store = try database.store()
    try await store.perform(.writing) {
      try await $0.run(
        "INSERT INTO storekeeper_migration VALUES ('purchases', 9999, 'of the future', 0)")
    }
    await store.close()
    await #expect(throws: StorageFailure.newerSchema(9999)) { try await database.open() }
  }

  @Test("a migration that stopped after any of its statements goes on where it stopped")
  func interrupted() async throws {
    let migrations = SQLCapability.all.flatMap { capability in
      capability.migrations.map { (number: $0.number, name: capability.name, migration: $0) }
    }.sorted { ($0.number, $0.name) < ($1.number, $1.name) }
    let statements = migrations.flatMap { $0.migration.statements(.mariadb) }
    let whole = try await shape { try await $0.migrate() }
    for count in Array(stride(from: 3, to: statements.count, by: 17)) + [statements.count] {
      let shape = try await shape { store in
        try await store.perform(.writing) { connection in
          for statement in statements.prefix(count) { try await connection.run(statement) }
        }
        try await store.migrate()
      }
      #expect(shape == whole)
    }
  }

  /// The columns and indices of a new database after some work.
  private func shape(
    after work: nonisolated(nonsending) (MariaDBStore) async throws -> Void
  ) async throws -> Set<SQLRow> {
    let store = try await TestDatabase().store(connections: 2)
    try await work(store)
    let shape = try await store.perform(.reading) { connection in
      try await connection.run(
        """
        SELECT table_name, column_name, column_type, is_nullable, collation_name
        FROM information_schema.columns WHERE table_schema = DATABASE()
        UNION ALL SELECT table_name, index_name, column_name, seq_in_index, non_unique
        FROM information_schema.statistics WHERE table_schema = DATABASE()
        """)
    }
    await store.close()
    return Set(shape)
  }

  @Test("a step that fails is told, and the lock is free for others")
  func failingStep() async throws {
    let database = try await TestDatabase()
    let store = try database.store()
    let steps = SQLCapability(
      name: "test",
      migrations: [SQLMigration(number: 1, name: "bad") { _ in ["CREATE TABLE bad (a NO_SUCH)"] }])
    await #expect(throws: StorageFailure.self) { try await store.migrate([steps]) }
    try await database.open().close()
    await store.close()
  }

  @Test("a user that may read and write rows, and nothing else, opens a migrated database")
  func rightsOnRows() async throws {
    let database = try await TestDatabase()
    let owner = try await database.open()
    try await owner.perform(.writing) { connection in
      try await connection.run(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON \(database.name).* TO guarded@localhost")
    }
    let store = try await MariaDBStore(
      url: database.url.replacing("storekeeper@", with: "guarded@"), password: "correct",
      configuration: TestDatabase.patient)
    #expect(try await store.write { try await $0.outbox.unsentCount() } == 0)
    try await store.tryWriting()
    await store.close()
    await owner.close()
  }
}
