import Foundation
import MariaDBStorage
import PostgresStorage
import PurchaseStorage
import SQLStorage
import SQLiteStorage

enum DatabaseKind: CaseIterable {
  case sqlite
  case postgres
  case mariadb

  var name: String {
    switch self {
    case .sqlite: "SQLite"
    case .postgres: "PostgreSQL"
    case .mariadb: "MariaDB"
    }
  }

  /// The variable of the environment that names the server, and the script that sets it.
  private var source: (variable: String, script: String)? {
    switch self {
    case .sqlite: nil
    case .postgres: ("STOREKEEPER_POSTGRES", "Tests/PostgreSQL/with-cluster")
    case .mariadb: ("STOREKEEPER_MARIADB", "Tests/MariaDB/with-server")
    }
  }

  /// The server that the environment names, if it names one.
  var server: String? { source.flatMap { ProcessInfo.processInfo.environment[$0.variable] } }

  /// Whether a connection may commit without waiting for the disk; in MariaDB the whole server would.
  var relaxesByConnection: Bool { self != .mariadb }

  /// The engines that can be measured here; says which cannot.
  static func found() -> [DatabaseKind] {
    allCases.filter { kind in
      guard let source = kind.source, kind.server == nil else { return true }
      print("\(kind.name) is left out: \(source.variable) is not set (see \(source.script))")
      return false
    }
  }
}

/// An empty database with the schema of our migrations.
struct Database: Sendable {
  let kind: DatabaseKind
  /// A path, a connection string or a URL.
  let place: String

  /// Makes it, in a folder, or on the server in place of one of that name.
  init(_ kind: DatabaseKind, _ name: String, in folder: URL) async throws {
    self.kind = kind
    let server = kind.server ?? ""
    let scripts: [String]
    switch kind {
    case .sqlite:
      place = folder.appendingPathComponent("\(name).sqlite").path
      scripts = []
    case .postgres:
      place = "\(server) options=-csearch_path=benchmark_\(name)"
      scripts = [
        "DROP SCHEMA IF EXISTS benchmark_\(name) CASCADE", "CREATE SCHEMA benchmark_\(name)",
      ]
    case .mariadb:
      place = server.replacingOccurrences(of: "/storekeeper?", with: "/benchmark_\(name)?")
      scripts = [
        "DROP DATABASE IF EXISTS benchmark_\(name)", "CREATE DATABASE benchmark_\(name)",
      ]
    }
    if !scripts.isEmpty {
      let engine = try Engine(kind, at: server)
      for script in scripts { try engine.script(script) }
    }
    _ = try await store()
  }

  /// A store on it; without durability where only the work itself is of interest.
  func store(isDurable: Bool = true) async throws -> any PurchaseStore {
    switch kind {
    case .sqlite: try await sqlite(isDurable: isDurable)
    case .postgres: try await postgres(isDurable: isDurable)
    case .mariadb: try await MariaDBStore(url: place, capabilities: SQLCapability.all)
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
