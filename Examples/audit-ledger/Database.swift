import Foundation
import MariaDBStorage
import PostgresStorage
import PurchaseStorage
import SQLStorage
import SQLiteStorage

/// A database that exists, as the example server's setting `database` names it.
enum Database {
  case sqlite(path: String)
  case postgres(String)
  case mariadb(String)

  init(_ text: String) throws(UsageFailure) {
    let path = text.dropFirst("sqlite:".count)
    if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      self = .postgres(text)
    } else if text.hasPrefix("mysql://") || text.hasPrefix("mariadb://") {
      self = .mariadb(text)
    } else if text.hasPrefix("sqlite:"), !path.isEmpty {
      self = .sqlite(path: String(path))
    } else {
      throw UsageFailure("a database is sqlite:FILE, postgres://… or mysql://…")
    }
  }

  /// Opens the database; nothing is created or migrated.
  ///
  /// Only a MariaDB server has tables in other databases.
  func open(tableDatabases: [String: String]) async throws -> any PurchaseStore {
    switch self {
    case .sqlite(let path):
      var isDirectory: ObjCBool = false
      guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory),
        !isDirectory.boolValue
      else { throw DatabaseFailure(message: "there is no such file") }
      return try await SQLiteReadingStore(path: path, capabilities: [.credits])
    case .postgres(let connection):
      let store = try PostgresStore(unmigrated: connection)
      try Self.check(
        try await store.perform(.reading) { try await SQLMigrator.current($0, [.credits]) })
      return store
    case .mariadb(let url):
      var configuration = MariaDBStore.Configuration()
      configuration.databases = tableDatabases
      let store = try MariaDBStore(unmigrated: url, configuration: configuration)
      try Self.check(
        try await store.perform(.reading) { try await SQLMigrator.current($0, [.credits]) })
      return store
    }
  }

  private static func check(_ present: Set<SQLCapability>?) throws {
    guard present != nil else {
      throw DatabaseFailure(message: "the database lacks tables of this version")
    }
  }
}

/// A reason why a database cannot be read, in words without a password.
struct DatabaseFailure: Error {
  var message: String

  init(message: String) { self.message = message }

  init(_ failure: StorageFailure) {
    message =
      switch failure {
      case .database(_, let detail): "\(failure): \(detail)"
      default: "\(failure)"
      }
  }
}
