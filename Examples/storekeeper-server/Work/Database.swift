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
  static func open(_ settings: Settings) async throws -> Database {
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

  /// The reason why a database with tables of its own was refused, which names tables and columns only.
  static func refusal(_ error: any Error) -> String? { (error as? UnsuitableTables)?.description }

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
