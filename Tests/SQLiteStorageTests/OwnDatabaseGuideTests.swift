import Foundation
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage
import Testing

/// The host's own database of `Documentation/guides/bring-your-own-database.md`.
private enum MyDatabase {
  static func inTransaction<Result: Sendable>(
    at path: String,
    _ body: SQLConnectionBody<Result>
  ) async throws -> Result {
    let connection = try otherConnection(path)
    try connection.run("BEGIN IMMEDIATE")
    do {
      let result = try await body(connection)
      try connection.run("COMMIT")
      return result
    } catch {
      try connection.run("ROLLBACK")
      throw error
    }
  }
}

/// The store of the guide.
private final class MyStore: PurchaseStore {
  private let present: Set<SQLCapability>
  var capabilities: Set<StoreCapability> { SQLCapability.served(by: present) }

  init(path: String) async throws {
    present = try await MyDatabase.inTransaction(at: path) { connection in
      try await SQLMigrator.migrate(connection, [.purchases], now: Date())
    }
    self.path = path
  }

  func read<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await MyDatabase.inTransaction(at: path) { connection in
      try await body(SQLRecords(connection, access: .reading, capabilities: present).unit)
    }
  }

  func write<Result: Sendable>(_ body: UnitOfWorkBody<Result>) async throws -> Result {
    try await MyDatabase.inTransaction(at: path) { connection in
      try await body(SQLRecords(connection, access: .writing, capabilities: present).unit)
    }
  }

  private let path: String
}

@Suite("The guide to a database of one's own")
struct OwnDatabaseGuideTests {
  private struct Interruption: Error {}

  @Test("a store for one capability keeps evidence, and nothing of a unit of work that throws")
  func oneCapability() async throws {
    try await withTemporaryFolder { path in
      let store = try await MyStore(path: path)
      let receipt = StoredReceipt(
        originalTransactionID: "1", environment: .production, receipt: "QUJD", asOf: now)
      await #expect(throws: Interruption.self) {
        try await store.write { records in
          try await records.purchases.put(receipt, now: now)
          throw Interruption()
        }
      }
      let find: @Sendable (UnitOfWork) async throws -> StoredReceipt? = { records in
        try await records.purchases.receipt(of: "1", environment: .production)
      }
      #expect(try await store.read { try await find($0) } == nil)
      try await store.write { try await $0.purchases.put(receipt, now: now) }
      #expect(try await store.read { try await find($0) } == receipt)
      #expect(
        try otherConnection(path).value(
          "SELECT COUNT(*) FROM sqlite_schema WHERE name = 'apple_subscription'") == .integer(0))
    }
  }

  @Test("a store without a driver of one's own has the common tables alone")
  func withoutDriver() async throws {
    try await withTemporaryFolder { path in
      let store = try await SQLiteStore(path: path, capabilities: [])
      #expect(try await store.read { try await $0.outbox.unsentCount() } == 0)
      try await store.close()
    }
  }
}
