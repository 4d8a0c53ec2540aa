import InMemoryStorage
import PostgresStorage
import PurchaseStorage
import SQLStorage
import StorekeeperTesting
import Testing

@Suite("The contract of a store, in PostgreSQL", .enabled(if: TestDatabase.isThere))
struct PostgresContractTests {
  static var contract: PurchaseStoreContract {
    let databases = ContractDatabases()
    return PurchaseStoreContract(
      [.subscriptions], close: { await databases.close($0) },
      reopen: { try await databases.reopen($0) },
      makeStore: { try await databases.make() })
  }

  /// Of databases that have only the tables of all capabilities.
  static var commonContract: PurchaseStoreContract {
    let databases = ContractDatabases(capabilities: [])
    return PurchaseStoreContract(
      close: { await databases.close($0) }, makeStore: { try await databases.make() })
  }

  /// Of databases that have only the tables of credits, besides those of all capabilities.
  static var creditContract: PurchaseStoreContract {
    let databases = ContractDatabases(capabilities: [.credits])
    return PurchaseStoreContract(
      [.credits], close: { await databases.close($0) }, reopen: { try await databases.reopen($0) },
      makeStore: { try await databases.make() })
  }

  /// Of databases that have only the tables of entitlements, besides those of all capabilities.
  static var entitlementContract: PurchaseStoreContract {
    let databases = ContractDatabases(capabilities: [.entitlements])
    return PurchaseStoreContract(
      [.entitlements], close: { await databases.close($0) },
      reopen: { try await databases.reopen($0) },
      makeStore: { try await databases.make() })
  }

  /// Of databases that have the tables of all capabilities.
  static var fullEntitlementContract: PurchaseStoreContract {
    let databases = ContractDatabases()
    return PurchaseStoreContract(
      [.entitlements], close: { await databases.close($0) },
      reopen: { try await databases.reopen($0) },
      makeStore: { try await databases.make() })
  }

  @Test(
    "every law of entitlements holds without subscriptions", arguments: entitlementContract.laws)
  func entitlementLaw(_ law: ContractLaw) async throws {
    try await law.check()
  }

  @Test(
    "every law of entitlements holds beside all others", arguments: fullEntitlementContract.ownLaws)
  func fullEntitlementLaw(_ law: ContractLaw) async throws {
    try await law.check()
  }

  /// Of databases that have only the tables of orders, besides those of all capabilities.
  static var orderContract: PurchaseStoreContract {
    let databases = ContractDatabases(capabilities: [.orders])
    return PurchaseStoreContract(
      [.orders], close: { await databases.close($0) }, reopen: { try await databases.reopen($0) },
      makeStore: { try await databases.make() })
  }

  @Test("every law of orders holds without subscriptions", arguments: orderContract.laws)
  func orderLaw(_ law: ContractLaw) async throws {
    try await law.check()
  }

  @Test("every law of credits holds without subscriptions", arguments: creditContract.laws)
  func creditLaw(_ law: ContractLaw) async throws {
    try await law.check()
  }

  @Test("every law holds", arguments: contract.laws)
  func law(_ law: ContractLaw) async throws {
    try await law.check()
  }

  @Test("every law of any capability holds without subscriptions", arguments: commonContract.laws)
  func commonLaw(_ law: ContractLaw) async throws {
    try await law.check()
  }
}

extension PurchaseStoreContract {
  /// The laws without those of all capabilities, which other tests check.
  fileprivate var ownLaws: [ContractLaw] {
    let common = Set(PurchaseStoreContract { InMemoryPurchaseStore() }.laws.map(\.name))
    return laws.filter { !common.contains($0.name) }
  }
}

/// The schemas of the stores that laws were given.
private actor ContractDatabases {
  private let capabilities: Set<SQLCapability>
  private var databases: [ObjectIdentifier: TestDatabase] = [:]

  init(capabilities: Set<SQLCapability> = SQLCapability.all) { self.capabilities = capabilities }

  func make() async throws -> PostgresStore {
    try await open(try await TestDatabase())
  }

  func reopen(_ store: PostgresStore) async throws -> PostgresStore {
    guard let database = databases[ObjectIdentifier(store)] else { throw StorageFailure.conflict }
    return try await open(database)
  }

  func close(_ store: PostgresStore) async {
    await store.close()
    databases[ObjectIdentifier(store)] = nil
  }

  private func open(_ database: TestDatabase) async throws -> PostgresStore {
    var configuration = PostgresStore.Configuration()
    configuration.connectionLimit = 4
    // Laws with many callers at once, on a slow machine or under a sanitizer.
    configuration.waitLimit = .seconds(300)
    configuration.lockLimit = .seconds(300)
    configuration.startLimit = .seconds(300)
    configuration.reconnectLimit = .seconds(300)
    let store = try await PostgresStore(
      connection: database.connection, capabilities: capabilities, configuration: configuration)
    databases[ObjectIdentifier(store)] = database
    return store
  }
}
