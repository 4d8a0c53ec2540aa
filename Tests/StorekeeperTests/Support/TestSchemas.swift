import Foundation
import MariaDBStorage
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

/// Databases in MariaDB with the tables of all capabilities, each for one test at a time.
final class TestMariaDBs: Sendable {
  private let left = Locked<[String]>([])

  /// Two hundred callers at once wait long on a slow machine, longer under a sanitizer.
  private static var configuration: MariaDBStore.Configuration {
    var configuration = MariaDBStore.Configuration()
    configuration.connectionLimit = 8
    configuration.connectLimit = .seconds(60)
    configuration.waitLimit = .seconds(300)
    configuration.lockLimit = .seconds(300)
    configuration.statementLimit = .seconds(300)
    configuration.reconnectLimit = .seconds(300)
    configuration.startLimit = .seconds(300)
    return configuration
  }

  /// Returns a store without rows, and what closes it and leaves its database to the next test.
  func store() async throws -> (store: MariaDBStore, leave: @Sendable () async -> Void) {
    let server = StoreKind.database ?? ""
    let used = left.withLock { $0.popLast() }
    let name = used ?? "test_" + UUID().uuidString.filter(\.isHexDigit).lowercased()
    if used == nil {
      let maker = try MariaDBStore(unmigrated: server, configuration: Self.configuration)
      try await maker.perform(.writing) { connection in
        _ = try await connection.query(SQLStatement(name, "CREATE DATABASE \(name)"), [])
      }
      await maker.close()
    }
    let store = try await MariaDBStore(
      url: server.replacing("/storekeeper?", with: "/\(name)?"), capabilities: SQLCapability.all,
      configuration: Self.configuration)
    if used != nil { try await Self.empty(store) }
    return (store, { await self.leave(store, in: name) })
  }

  private static func empty(_ store: MariaDBStore) async throws {
    try await store.perform(.writing) { connection in
      let statements = try await connection.query(
        SQLStatement("empty", EmptiedSchema.statementsInMariaDB), [])
      for case .text(let statement)? in statements.map(\.first) {
        _ = try await connection.query(SQLStatement(statement, statement), [])
      }
    }
  }

  private func leave(_ store: MariaDBStore, in name: String) async {
    await store.close()
    left.withLock { $0.append(name) }
  }
}
