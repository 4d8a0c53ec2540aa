import JSONValues
import MariaDBStorage
import PostgresStorage
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage

/// The store, with the function that closes it.
struct Database: Sendable {
  let store: any PurchaseStore
  let close: @Sendable () async -> Void

  /// Opens the database, which gets the tables of the parts that are served.
  ///
  /// - Throws: ``UnusableAddress``; an error of the store.
  static func open(_ settings: Settings) async throws -> Database {
    do {
      return try await opened(settings)
    } catch StorageFailure.invalidValue(let field) where field.origin == .host {
      throw UnusableAddress(part: field.name)
    }
  }

  private static func opened(_ settings: Settings) async throws -> Database {
    let capabilities = settings.capabilities
    let existing = settings.adoptsTables ? ExistingTables.adopt : .refuse
    switch settings.database {
    case .sqlite(let path):
      var configuration = SQLiteConfiguration()
      // Waiting for a reader costs a request more than the reader does: with four readers it takes
      // half as long as with two.
      configuration.readers = 4
      // The system caches the file too, so five connections need only small caches of their own.
      configuration.cacheSize = 2048
      let store = try await SQLiteStore(
        path: path, capabilities: capabilities, configuration: configuration)
      return Database(store: store) { try? await store.close() }
    case .postgres(let connection):
      var configuration = PostgresStore.Configuration()
      configuration.reconnectLimit = .seconds(settings.databaseTimeout)
      configuration.existingTables = existing
      let store = try await PostgresStore(
        connection: connection, capabilities: capabilities, configuration: configuration)
      return Database(store: store) { await store.close() }
    case .mariadb(let url):
      var configuration = MariaDBStore.Configuration()
      configuration.reconnectLimit = .seconds(settings.databaseTimeout)
      configuration.existingTables = existing
      configuration.databases = settings.tableDatabases
      let store = try await MariaDBStore(
        url: url, password: settings.databasePassword, capabilities: capabilities,
        configuration: configuration)
      return Database(store: store) { await store.close() }
    }
  }

  /// The reason why a database cannot be used, with what its library says, which no password is in; nil for another
  /// error.
  static func refusal(_ error: any Error) -> String? {
    switch error {
    case let refusal as UnsuitableTables: refusal.description
    case let refusal as UnsuitableServer: refusal.description
    case StorageFailure.unavailable(_, let detail), StorageFailure.database(_, let detail):
      detail.isEmpty ? nil : "\(SafeText.of(error)): \(detail)"
    default: nil
    }
  }

  /// Whether the store answers a query.
  static func answers(_ store: any PurchaseStore) async -> Bool {
    do {
      return try await store.read { records in
        _ = try await records.purchases.transactions(of: ["0"], environment: .production)
        return true
      }
    } catch {
      return false
    }
  }

  /// Whether the store can commit.
  static func keeps(_ store: any PurchaseStore) async -> Bool {
    do {
      try await store.tryWriting()
      return true
    } catch {
      ServerLog.note("not writable", ["error": .string(SafeText.of(error))])
      return false
    }
  }
}

/// The failure of an address of a database that cannot be read.
struct UnusableAddress: Error, CustomStringConvertible {
  /// The part that is wrong, which shows nothing of the address.
  let part: String

  var description: String {
    "--database has no usable address: \(part); in a password, each of / ? # @ : % is written as %2F %3F %23 %40"
      + " %3A %25"
  }
}

extension Settings {
  /// The capabilities of the parts that are served.
  fileprivate var capabilities: Set<SQLCapability> {
    var capabilities: Set<SQLCapability> = [.purchases]
    if parts.contains(.subscriptions) { capabilities.insert(.subscriptions) }
    if parts.contains(.credits) { capabilities.insert(.credits) }
    if parts.contains(.entitlements) { capabilities.insert(.entitlements) }
    if parts.contains(.orders) { capabilities.insert(.orders) }
    return capabilities
  }
}
