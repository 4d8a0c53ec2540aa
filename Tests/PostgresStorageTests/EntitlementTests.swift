import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("Entitlements in PostgreSQL", .enabled(if: TestDatabase.isThere))
struct EntitlementTests {
  @Test("the views show what the rules make of the evidence", arguments: PurchaseStory.all)
  func views(_ story: PurchaseStory) async throws {
    try await withStore { store in
      try await story.expectViews(in: store.forEntitlements) { sql in
        try await store.perform(.reading) { try await $0.run(sql) }
      }
    }
  }

  @Test("the views have the columns of the rules")
  func columns() async throws {
    try await withStore { store in
      try await PurchaseStory.expectColumns(in: store.forEntitlements) { sql in
        try await store.perform(.reading) { try await $0.run(sql) }
      }
    }
  }

  private func withStore(
    _ body: nonisolated(nonsending) (PostgresStore) async throws -> Void
  ) async throws {
    let database = try await TestDatabase()
    let store = try await PostgresStore(
      connection: database.connection, capabilities: [.entitlements])
    try await body(store)
    await store.close()
  }
}
