import Foundation
import PostgresStorage
import PurchaseStorage
import SQLStorage
import StorekeeperFixtures

/// A schema of its own for a test, on the server that `Tests/PostgreSQL/with-cluster` started.
struct TestDatabase: Sendable {
  /// The server's connection string; nil where there is no server, and these tests are left out.
  static let server = ProcessInfo.processInfo.environment["STOREKEEPER_POSTGRES"]
  static var isThere: Bool { server != nil }
  static let controlVariable = "STOREKEEPER_POSTGRES_CONTROL"
  /// Whether the server is one of `Tests/PostgreSQL/cluster`, which has the role `guarded`.
  static var isOwn: Bool { ProcessInfo.processInfo.environment[controlVariable] != nil }

  /// Settings with which no test fails because the machine is busy.
  static var patient: PostgresStore.Configuration {
    var configuration = PostgresStore.Configuration()
    configuration.waitLimit = .seconds(600)
    configuration.lockLimit = .seconds(600)
    configuration.statementLimit = .seconds(600)
    configuration.idleLimit = .seconds(600)
    configuration.silenceLimit = .seconds(600)
    configuration.reconnectLimit = .seconds(600)
    configuration.startLimit = .seconds(600)
    return configuration
  }

  /// The beginning of the names of schemas, by which they are dropped from a server that stays.
  private static let prefix =
    ProcessInfo.processInfo.environment["STOREKEEPER_POSTGRES_PREFIX"] ?? "test_"

  let name: String
  let connection: String

  /// Makes the schema.
  init(on server: String? = Self.server) async throws {
    let server = server ?? ""
    name = Self.prefix + String(UUID().uuidString.filter(\.isHexDigit)).lowercased()
    connection = Self.connection(server, schema: name)
    let name = name
    // No test is to fail because the machine is busy.
    var configuration = PostgresStore.Configuration()
    configuration.reconnectLimit = .seconds(600)
    let store = try PostgresStore(unmigrated: server, configuration: configuration)
    try await store.perform(.writing) { try await $0.run("CREATE SCHEMA \(name)") }
    await store.close()
  }

  /// Returns a connection string, of keywords or a URL, with a schema.
  private static func connection(_ server: String, schema: String) -> String {
    guard server.contains("://") else { return "\(server) options=-csearch_path=\(schema)" }
    return server + (server.contains("?") ? "&" : "?") + "options=-csearch_path%3D\(schema)"
  }

  /// A store with as many connections at most.
  func store(
    connections: Int = 4, _ change: (inout PostgresStore.Configuration) -> Void = { _ in }
  ) throws -> PostgresStore {
    var configuration = PostgresStore.Configuration()
    configuration.connectionLimit = connections
    // No test is to fail because the machine is busy.
    configuration.waitLimit = .seconds(600)
    configuration.lockLimit = .seconds(600)
    configuration.statementLimit = .seconds(600)
    configuration.idleLimit = .seconds(600)
    configuration.silenceLimit = .seconds(600)
    configuration.reconnectLimit = .seconds(600)
    change(&configuration)
    return try PostgresStore(unmigrated: connection, configuration: configuration)
  }

  /// A store with a table `item` of two columns, `key` (unique) and `value`.
  func storeWithItems(
    connections: Int = 4, _ change: (inout PostgresStore.Configuration) -> Void = { _ in }
  ) async throws -> PostgresStore {
    let store = try store(connections: connections, change)
    try await store.perform(.writing) {
      try await $0.run(
        "CREATE TABLE item (key TEXT CONSTRAINT item_key PRIMARY KEY, value BIGINT)")
    }
    return store
  }
}

typealias TestStore = PostgresStore

extension TestDatabase {
  /// The code of a write in a unit of work that reads.
  static let readOnlyCode = Int("25006", radix: 36)
  static let shortLock = Duration.milliseconds(20)

  /// Opens a store, which brings the database to its shape.
  func open(
    capabilities: Set<SQLCapability> = SQLCapability.standard, connections: Int = 16
  ) async throws -> TestStore {
    var configuration = Self.patient
    configuration.connectionLimit = connections
    return try await PostgresStore(
      connection: connection, capabilities: capabilities, configuration: configuration)
  }
}

extension TestStore {
  /// Deletes all rows.
  func empty() async throws {
    try await perform(.writing) { _ = try await $0.run(EmptiedSchema.statement) }
  }

  /// Ends a connection, and waits until it is gone.
  func terminate(_ process: Int64) async throws {
    let kill = "SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = $1"
    var isThere = true
    while isThere {
      isThere = try await perform(.reading) { try await !$0.run(kill, .integer(process)).isEmpty }
    }
  }
}

extension SQLConnection {
  /// The server's process for this connection.
  func process() async throws -> Int64 {
    guard case .integer(let process)? = try await run("SELECT pg_backend_pid()").first?.first else {
      return 0
    }
    return process
  }
}
