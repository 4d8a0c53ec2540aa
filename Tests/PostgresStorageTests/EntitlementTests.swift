import PurchaseStorage
import SQLStorage
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

@Suite("Entitlements on a server", .enabled(if: TestDatabase.isThere))
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
    _ body: nonisolated(nonsending) (TestStore) async throws -> Void
  ) async throws {
    let database = try await TestDatabase()
    let store = try await database.open(capabilities: [.entitlements])
    try await body(store)
    await store.close()
  }
}
