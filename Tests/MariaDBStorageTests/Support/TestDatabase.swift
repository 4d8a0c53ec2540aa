import Foundation
import MariaDBStorage
import PurchaseStorage
import SQLStorage
import StorekeeperFixtures

/// A database of its own for a test, on the server that `Tests/MariaDB/with-server` started.
struct TestDatabase: Sendable {
  /// The URL of the server's database; nil where there is no server, and these tests are left out.
  static let server = ProcessInfo.processInfo.environment["STOREKEEPER_MARIADB"]
  static var isThere: Bool { server != nil }
  static let controlVariable = "STOREKEEPER_MARIADB_CONTROL"

  /// Settings with which no test fails because the machine is busy.
  static var patient: MariaDBStore.Configuration {
    var configuration = MariaDBStore.Configuration()
    configuration.waitLimit = .seconds(600)
    configuration.connectLimit = .seconds(60)
    configuration.lockLimit = .seconds(600)
    configuration.statementLimit = .seconds(600)
    configuration.idleLimit = .seconds(600)
    configuration.silenceLimit = .seconds(600)
    configuration.reconnectLimit = .seconds(600)
    configuration.startLimit = .seconds(600)
    return configuration
  }

  let name: String
  let url: String

  /// Makes the database.
  init(on server: String? = Self.server) async throws {
    let server = server ?? ""
    name = "test_" + String(UUID().uuidString.filter(\.isHexDigit)).lowercased()
    url = server.replacing("/storekeeper?", with: "/\(name)?")
    let name = name
    let store = try MariaDBStore(unmigrated: server, configuration: Self.patient)
    try await store.perform(.writing) { try await $0.run("CREATE DATABASE \(name)") }
    await store.close()
  }

  /// A store with as many connections at most.
  func store(
    connections: Int = 4, _ change: (inout MariaDBStore.Configuration) -> Void = { _ in }
  ) throws -> MariaDBStore {
    var configuration = Self.patient
    configuration.connectionLimit = connections
    change(&configuration)
    return try MariaDBStore(unmigrated: url, configuration: configuration)
  }

  /// A store with a table `item` of two columns, `key` (unique) and `value`.
  func storeWithItems(
    connections: Int = 4, _ change: (inout MariaDBStore.Configuration) -> Void = { _ in }
  ) async throws -> MariaDBStore {
    let store = try store(connections: connections, change)
    try await store.perform(.writing) {
      try await $0.run(
        """
        CREATE TABLE item ("key" VARCHAR(300) COLLATE utf8mb4_nopad_bin PRIMARY KEY, value BIGINT)
        CHARACTER SET utf8mb4
        """)
    }
    return store
  }
}

typealias TestStore = MariaDBStore

extension TestDatabase {
  /// The code of a write in a unit of work that reads.
  static let readOnlyCode = 1792
  static let shortLock = Duration.seconds(1)

  /// Opens a store, which brings the database to its shape.
  func open(
    capabilities: Set<SQLCapability> = SQLCapability.standard, connections: Int = 16
  ) async throws -> TestStore {
    var configuration = Self.patient
    configuration.connectionLimit = connections
    return try await MariaDBStore(
      url: url, capabilities: capabilities, configuration: configuration)
  }
}

extension TestStore {
  /// Deletes all rows.
  func empty() async throws {
    try await perform(.writing) { connection in
      let statements = try await connection.run(EmptiedSchema.statementsInMariaDB)
      for case .text(let statement)? in statements.map(\.first) {
        try await connection.run(statement)
      }
    }
  }

  /// Ends a connection, and waits until it is gone.
  func terminate(_ process: Int64) async throws {
    let find = "SELECT id FROM information_schema.processlist WHERE id = $1"
    while try await !perform(.reading, { try await $0.run(find, .integer(process)) }).isEmpty {
      // It may have gone meanwhile.
      _ = try? await perform(.reading) { try await $0.run("KILL CONNECTION \(process)") }
    }
  }
}

extension SQLConnection {
  /// The server's number of this connection.
  func process() async throws -> Int64 {
    guard case .integer(let process)? = try await run("SELECT CONNECTION_ID()").first?.first else {
      return 0
    }
    return process
  }
}
