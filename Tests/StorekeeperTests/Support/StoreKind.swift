import PostgresStorage
import PurchaseStorage
import SQLStorage
import SQLiteStorage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The stores that tests of the service run on.
enum StoreKind: String, CaseIterable, Sendable {
  case memory, sqlite, postgres

  /// The server's connection string, from `Tests/PostgreSQL/with-cluster`.
  private static let server = ProcessInfo.processInfo.environment["STOREKEEPER_POSTGRES"]

  /// All of them, without PostgreSQL where there is no server.
  static let available = allCases.filter { $0 != .postgres || server != nil }

  /// An empty store of its own, which goes away afterwards.
  func withStore(
    _ body: nonisolated(nonsending) (any PurchaseStore) async throws -> Void
  ) async throws {
    let name = "test_" + UUID().uuidString.filter(\.isHexDigit).lowercased()
    switch self {
    case .memory:
      try await body(InMemoryPurchaseStore())
    case .sqlite:
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let store = try await SQLiteStore(path: folder.appendingPathComponent("store.sqlite").path)
      try await body(store)
      try await store.close()
    case .postgres:
      let server = Self.server ?? ""
      let maker = try PostgresStore(unmigrated: server)
      try await maker.perform(.writing) { connection in
        _ = try await connection.query(SQLStatement(name, "CREATE SCHEMA \(name)"), [])
      }
      await maker.close()
      let store = try await PostgresStore(connection: "\(server) options=-csearch_path=\(name)")
      try await body(store)
      await store.close()
    }
  }
}
