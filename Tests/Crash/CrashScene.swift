import MariaDBStorage
import PostgresStorage
import SQLiteStorage
import StoreSimulators
import Storekeeper

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The products, and functions that open stores and services.
enum CrashScene {
  static let products = ProductMap([
    "reader.monthly": Plan(tier: .standard, cycle: .month),
    "reader.yearly": Plan(tier: .standard, cycle: .year),
    "reader.premium": Plan(tier: .premium, cycle: .year),
  ])

  /// Opens the store that an argument names: an SQLite file, a PostgreSQL connection string, or the URL of a MariaDB
  /// database.
  static func store(_ name: String) async throws -> any PurchaseStore {
    if name.hasPrefix("mysql://") { return try await MariaDBStore(url: name) }
    guard name.contains("=") else { return try await SQLiteStore(path: name) }
    return try await PostgresStore(connection: name)
  }

  static func service(
    _ store: any PurchaseStore, _ appStore: AppStoreSimulator, prefix: String = ""
  ) throws -> SubscriptionService {
    var configuration = VerifyReceiptClient.Configuration()
    configuration.now = { appStore.now }
    let client = try VerifyReceiptClient(
      transport: PrefixedIDs(base: appStore, prefix: prefix), bundleIDs: [appStore.bundleID],
      sharedSecret: appStore.sharedSecret, configuration: configuration)
    return try SubscriptionService(
      PurchaseContext(store: store, accounts: Everybody(), now: { appStore.now }),
      products: products, appStore: client)
  }
}

/// A directory in which every identifier is an account.
struct Everybody: AccountDirectory {
  func account(_ id: AccountID) -> Account? { Account(id: id) }
}

/// A transport that prefixes transaction identifiers with the number of the process.
///
/// The simulated App Store starts at the same number in each process.
struct PrefixedIDs: HTTPTransport {
  let base: AppStoreSimulator
  let prefix: String

  /// The common prefix of the simulator's identifiers.
  private static let beginning = "\"30000000000"

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    var response = try await base.send(request)
    guard !prefix.isEmpty else { return response }
    let parts = String(decoding: response.body, as: UTF8.self).split(
      separator: Self.beginning, omittingEmptySubsequences: false)
    response.body = Array(parts.joined(separator: "\"\(prefix)30000000000").utf8)
    return response
  }
}
