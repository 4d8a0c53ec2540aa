import PostgresStorage
import PurchaseStorage
import SQLStorage
import Testing

@Suite("Entitlements in PostgreSQL", .enabled(if: TestDatabase.isThere))
struct EntitlementTests {
  @Test("the views show what the rules make of the evidence")
  func views() async throws {
    try await withStore { store in
      for story in PurchaseStory.all {
        try await story.expectViews(in: store) { sql in
          try await store.perform(.reading) { try await $0.run(sql) }
        }
        for table in ["store_associations", "apple_transaction", "apple_pending_renewal"] {
          try await store.perform(.writing) { try await $0.run("DELETE FROM \(table)") }
        }
      }
    }
  }

  @Test("the views have the columns of the rules")
  func columns() async throws {
    try await withStore { store in
      try await PurchaseStory.expectColumns(in: store) { sql in
        try await store.perform(.reading) { try await $0.run(sql) }
      }
    }
  }

  private func withStore(
    _ body: nonisolated(nonsending) (PostgresStore) async throws -> Void
  ) async throws {
    let database = try await TestDatabase()
    let store = try await PostgresStore(
      connection: database.connection, capabilities: [.entitlements],
      configuration: TestDatabase.patient)
    try await body(store)
    await store.close()
  }
}
