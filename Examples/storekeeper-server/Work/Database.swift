import PostgresStorage
import PurchaseStorage
import JSONValues
import SQLiteStorage

/// The store, with the function that closes it.
struct Database: Sendable {
  let store: any SubscriptionStore
  let close: @Sendable () async -> Void

  static func open(_ settings: Settings) async throws -> Database {
    switch settings.database {
    case .sqlite(let path):
      var configuration = SQLiteConfiguration()
      // Waiting for a reader costs a request more than the reader does: with four readers it takes
      // half as long as with two.
      configuration.readers = 4
      // The system caches the file too, so five connections need only small caches of their own.
      configuration.cacheSize = 2048
      let store = try await SQLiteStore(path: path, configuration: configuration)
      return Database(store: store.forSubscriptions) { try? await store.close() }
    case .postgres(let connection):
      var configuration = PostgresStore.Configuration()
      configuration.reconnectLimit = .seconds(settings.databaseTimeout)
      let store = try await PostgresStore(connection: connection, configuration: configuration)
      return Database(store: store.forSubscriptions) { await store.close() }
    }
  }

  /// Whether the store answers a query.
  static func answers(_ store: any SubscriptionStore) async -> Bool {
    do {
      return try await store.read { records in
        _ = try await records.subscriptions.find(["0"])
        return true
      }
    } catch {
      return false
    }
  }

  /// Whether the store can commit.
  static func keeps(_ store: any SubscriptionStore) async -> Bool {
    do {
      try await store.tryWriting()
      return true
    } catch {
      ServerLog.note("not writable", ["error": .string(SafeText.of(error))])
      return false
    }
  }
}
