import Foundation
import PostgresStorage
import SQLStorage
import StorekeeperFixtures
import StorekeeperLocks

/// Schemas with the tables of some capabilities, each for one test at a time.
final class TestSchemas: Sendable {
  private let capabilities: Set<SQLCapability>
  private let left = Locked<[String]>([])

  init(_ capabilities: Set<SQLCapability>) { self.capabilities = capabilities }

  /// Returns a store without rows, and what closes it and leaves its schema to the next test.
  func store(
    _ configuration: PostgresStore.Configuration
  ) async throws -> (store: PostgresStore, leave: @Sendable () async -> Void) {
    let server = StoreKind.server ?? ""
    let used = left.withLock { $0.popLast() }
    let name = used ?? "test_" + UUID().uuidString.filter(\.isHexDigit).lowercased()
    if used == nil {
      let maker = try PostgresStore(unmigrated: server, configuration: configuration)
      try await maker.perform(.writing) { connection in
        _ = try await connection.query(SQLStatement(name, "CREATE SCHEMA \(name)"), [])
      }
      await maker.close()
    }
    let store = try await PostgresStore(
      connection: "\(server) options=-csearch_path=\(name)", capabilities: capabilities,
      configuration: configuration)
    if used != nil {
      try await store.perform(.writing) { connection in
        _ = try await connection.query(SQLStatement("empty", EmptiedSchema.statement), [])
      }
    }
    return (store, { await self.leave(store, in: name) })
  }

  private func leave(_ store: PostgresStore, in name: String) async {
    await store.close()
    left.withLock { $0.append(name) }
  }
}
