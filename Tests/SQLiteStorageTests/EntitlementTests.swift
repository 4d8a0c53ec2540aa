import PurchaseStorage
import SQLStorage
import SQLiteStorage
import Testing

@Suite("Entitlements in SQLite")
struct EntitlementTests {
  @Test("the views show what the rules make of the evidence", arguments: PurchaseStory.all)
  func views(_ story: PurchaseStory) async throws {
    try await withTemporaryFolder { path in
      let store = try await SQLiteStore(path: path, capabilities: [.entitlements])
      let connection = try otherConnection(path)
      try await story.expectViews(in: store) {
        try connection.query(SQLStatement("view_\($0)", $0), [])
      }
      try await store.close()
    }
  }

  @Test("the views have the columns of the rules")
  func columns() async throws {
    try await withTemporaryFolder { path in
      let store = try await SQLiteStore(path: path, capabilities: [.entitlements])
      let connection = try otherConnection(path)
      try await PurchaseStory.expectColumns(in: store) {
        try connection.query(SQLStatement("view_\($0)", $0), [])
      }
      try await store.close()
    }
  }
}
