import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("A trial to write", .enabled(if: TestDatabase.isThere))
struct TrialTests {
  @Test("passes as often as wanted, and leaves nothing in the database")
  func passes() async throws {
    let store = try await TestDatabase().store(connections: 1)
    for _ in 1...3 { try await store.tryWriting() }
    let (kinds, rows) = try await store.perform(.reading) { connection in
      (
        try await connection.run(
          """
          SELECT relpersistence::text FROM pg_catalog.pg_class
          WHERE oid = 'pg_temp.storekeeper_probe'::regclass
          """),
        try await connection.run("SELECT count(*) FROM pg_temp.storekeeper_probe")
      )
    }
    // "t" is a table that goes with the connection.
    #expect(kinds == [[.text("t")]])
    #expect(rows == [[.integer(0)]])
    await store.close()
  }

  @Test("needs no right to temporary tables")
  func withoutTemporaryTables() async throws {
    let server = try #require(TestDatabase.server)
    let superuser = try PostgresStore(unmigrated: server, configuration: TestDatabase.patient)
    let name = try await superuser.perform(.reading) {
      try await $0.run("SELECT quote_ident(current_database())")
    }
    guard case .text(let database)? = name.first?.first else {
      Issue.record("no name of a database")
      return
    }
    try await superuser.perform(.writing) {
      try await $0.run("REVOKE TEMPORARY ON DATABASE \(database) FROM PUBLIC")
    }
    let store = try PostgresStore(
      unmigrated: "\(server) user=guarded password=correct", configuration: TestDatabase.patient)
    try await store.tryWriting()
    let probes = try await store.perform(.reading) {
      try await $0.run("SELECT to_regclass('pg_temp.storekeeper_probe')::text")
    }
    #expect(probes == [[.null]])
    await store.close()
    try await superuser.perform(.writing) {
      try await $0.run("GRANT TEMPORARY ON DATABASE \(database) TO PUBLIC")
    }
    await superuser.close()
  }

  @Test("fails where the server is out of reach")
  func unreachable() async throws {
    var configuration = PostgresStore.Configuration()
    configuration.reconnectLimit = .milliseconds(50)
    let store = try PostgresStore(unmigrated: "host=127.0.0.1 port=1", configuration: configuration)
    let failure = await #expect(throws: StorageFailure.self) { try await store.tryWriting() }
    #expect(failure?.mayHaveCommitted == false)
    await store.close()
  }
}
