import Foundation
import PostgresStorage
import PurchaseStorage
import SQLStorage
import SQLiteStorage

enum DatabaseKind: CaseIterable {
  case sqlite
  case postgres

  var name: String {
    switch self {
    case .sqlite: "SQLite"
    case .postgres: "PostgreSQL"
    }
  }
}

/// An empty database with the schema of our migrations.
struct Database: Sendable {
  let kind: DatabaseKind
  /// A path, or a connection string.
  let place: String

  /// The server that the environment names, if it names one.
  static let server = ProcessInfo.processInfo.environment["STOREKEEPER_POSTGRES"]

  /// The engines that can be measured here; says so if PostgreSQL cannot.
  static func kinds() -> [DatabaseKind] {
    guard server == nil else { return DatabaseKind.allCases }
    print(
      "PostgreSQL is left out: STOREKEEPER_POSTGRES is not set (see Tests/PostgreSQL/with-cluster)")
    return [.sqlite]
  }

  /// Makes it, in a folder, or in a schema of the server in place of one of that name.
  init(_ kind: DatabaseKind, _ name: String, in folder: URL) async throws {
    self.kind = kind
    switch kind {
    case .sqlite: place = folder.appendingPathComponent("\(name).sqlite").path
    case .postgres:
      let server = Self.server ?? ""
      place = "\(server) options=-csearch_path=benchmark_\(name)"
      let engine = try Engine(self)
      try engine.script("DROP SCHEMA IF EXISTS benchmark_\(name) CASCADE")
      try engine.script("CREATE SCHEMA benchmark_\(name)")
    }
    _ = try await store()
  }

  /// A store on it; without durability where only the work itself is of interest.
  func store(isDurable: Bool = true) async throws -> any PurchaseStore {
    switch kind {
    case .sqlite: try await sqlite(isDurable: isDurable)
    case .postgres: try await postgres(isDurable: isDurable)
    }
  }

  /// The same, for credits.
  func creditStore(isDurable: Bool = true) async throws -> any PurchaseStore {
    switch kind {
    case .sqlite: try await sqlite(isDurable: isDurable)
    case .postgres: try await postgres(isDurable: isDurable)
    }
  }

  /// The same, for entitlements.
  func entitlementStore() async throws -> any PurchaseStore {
    switch kind {
    case .sqlite: try await sqlite(isDurable: true)
    case .postgres: try await postgres(isDurable: true)
    }
  }

  /// The same, for orders.
  func orderStore() async throws -> any PurchaseStore {
    switch kind {
    case .sqlite: try await sqlite(isDurable: true)
    case .postgres: try await postgres(isDurable: true)
    }
  }

  private func sqlite(isDurable: Bool) async throws -> SQLiteStore {
    var configuration = SQLiteConfiguration()
    configuration.durability = isDurable ? .disk : .operatingSystem
    return try await SQLiteStore(
      path: place, capabilities: SQLCapability.all, configuration: configuration)
  }

  private func postgres(isDurable: Bool) async throws -> PostgresStore {
    let setting = isDurable ? "on" : "off"
    var configuration = PostgresStore.Configuration()
    configuration.waitsForDisk = isDurable
    return try await PostgresStore(
      connection: place.replacingOccurrences(
        of: "options=", with: "options='-csynchronous_commit=\(setting) ") + "'",
      capabilities: SQLCapability.all, configuration: configuration)
  }

  /// A folder for files that is removed afterwards.
  static func inFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("storekeeper-benchmark-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }
}
