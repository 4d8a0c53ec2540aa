import PostgresStorage
import PurchaseStorage
import SQLiteStorage

/// The store, and how it is closed.
struct Database: Sendable {
  let store: any SubscriptionStore
  let close: @Sendable () async -> Void

  static func open(_ settings: Settings) async throws -> Database {
    switch settings.database {
    case .sqlite(let path):
      var configuration = SQLiteConfiguration()
      // Requests that wait for a reader cost more than the reader: with four, half as much as with two.
      configuration.readers = 4
      // The system keeps the file in memory too; five connections need not each keep much of it.
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

  /// Whether the store answers a question.
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

  /// Whether the store would keep something.
  static func keeps(_ store: any SubscriptionStore) async -> Bool {
    do {
      try await store.tryWriting()
      return true
    } catch {
      ServerLog.note("not writable", ("error", .text(SafeText.of(error))))
      return false
    }
  }
}
