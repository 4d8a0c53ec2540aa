import InMemoryStorage
import PurchaseStorage
import SQLStorage
import StorekeeperTesting
import Testing

#if MARIADB
  import MariaDBStorage
#else
  import PostgresStorage
#endif

@Suite("The contract of a store, on a server", .enabled(if: TestDatabase.isThere))
struct ServerContractTests {
  /// The laws of capabilities, on databases with these tables beside those of all capabilities.
  private static func contract(
    _ capabilities: Set<StoreCapability>, tables: Set<SQLCapability>, adopted: [String] = []
  ) -> PurchaseStoreContract {
    let databases = ContractDatabases(capabilities: tables, adopted: adopted)
    return PurchaseStoreContract(
      capabilities, close: { await databases.close($0) },
      reopen: { try await databases.reopen($0) }, makeStore: { try await databases.make() })
  }

  /// Each law, and the tables beside which it holds.
  static let laws: [(tables: String, law: ContractLaw)] = [
    ("all", contract([.subscriptions], tables: SQLCapability.all).laws),
    ("none", contract([], tables: []).laws),
    ("credits", contract([.credits], tables: [.credits]).laws),
    ("entitlements", contract([.entitlements], tables: [.entitlements]).laws),
    ("all", contract([.entitlements], tables: SQLCapability.all).ownLaws),
    ("orders", contract([.orders], tables: [.orders]).laws),
    (
      "adopted ones",
      contract(
        [.subscriptions], tables: [.subscriptions], adopted: NewspaperTables.all
      ).laws
    ),
    (
      "adopted ones", contract([.credits], tables: [.credits], adopted: NewspaperTables.all).ownLaws
    ),
  ].flatMap { (row: (String, [ContractLaw])) in row.1.map { (tables: row.0, law: $0) } }

  @Test("every law holds, beside the tables of all capabilities, one or none", arguments: laws)
  func law(tables: String, law: ContractLaw) async throws {
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

/// The databases of the stores that laws were given.
private actor ContractDatabases {
  private let capabilities: Set<SQLCapability>
  /// The statements that make tables before a store is opened.
  private let adopted: [String]
  private var databases: [ObjectIdentifier: TestDatabase] = [:]
  /// The open stores of each database.
  private var handles: [String: Int] = [:]
  /// Those that laws have left to others.
  private var left: [TestDatabase] = []

  init(capabilities: Set<SQLCapability>, adopted: [String]) {
    self.capabilities = capabilities
    self.adopted = adopted
  }

  func make() async throws -> TestStore {
    guard let database = left.popLast() else {
      let database = try await TestDatabase()
      try await database.prepare(adopted)
      return try await open(database)
    }
    let store = try await open(database)
    try await store.empty()
    return store
  }

  func reopen(_ store: TestStore) async throws -> TestStore {
    guard let database = databases[ObjectIdentifier(store)] else { throw StorageFailure.conflict }
    return try await open(database)
  }

  func close(_ store: TestStore) async {
    await store.close()
    guard let database = databases.removeValue(forKey: ObjectIdentifier(store)) else { return }
    handles[database.name, default: 0] -= 1
    if handles[database.name] == 0 { left.append(database) }
  }

  private func open(_ database: TestDatabase) async throws -> TestStore {
    // Laws with many callers at once, on a slow machine or under a sanitizer.
    let store = try await database.open(
      capabilities: capabilities, existing: adopted.isEmpty ? .refuse : .adopt)
    databases[ObjectIdentifier(store)] = database
    handles[database.name, default: 0] += 1
    return store
  }
}
