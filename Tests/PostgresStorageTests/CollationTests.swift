import PostgresStorage
import SQLStorage
import Testing

@Suite("Texts in PostgreSQL", .enabled(if: TestDatabase.isThere))
struct CollationTests {
  @Test("every text of every table is ordered and compared by its bytes")
  func columns() async throws {
    let database = try await TestDatabase()
    let store = try database.store()
    try await store.migrate()
    let collations = try await store.perform(.reading) {
      try await $0.run(
        """
        SELECT DISTINCT c.collname::text FROM pg_attribute a
        JOIN pg_class t ON t.oid = a.attrelid
        JOIN pg_collation c ON c.oid = a.attcollation
        WHERE t.relnamespace = CAST($1 AS TEXT)::regnamespace AND t.relkind IN ('r', 'i')
          AND a.attnum > 0
        """, .text(database.name))
    }
    #expect(collations == [[.text("C")]])
    await store.close()
  }

  @Test("the server of these tests has another order of its own, so that ours is not by chance")
  func server() async throws {
    let store = try await TestDatabase().store()
    let isOther = try await store.perform(.reading) {
      try await $0.run(
        """
        SELECT CASE WHEN 'a' < 'B' OR current_setting('server_version_num')::int < 150000
          THEN 1 ELSE 0 END
        """)
    }
    #expect(isOther == [[.integer(1)]])
    await store.close()
  }
}
