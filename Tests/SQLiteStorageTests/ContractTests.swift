import Foundation
import InMemoryStorage
import PurchaseStorage
import SQLStorage
import SQLiteStorage
import StorekeeperTesting
import Testing

@Suite("The contract of a store, in SQLite")
struct SQLiteContractTests {
  /// The laws of capabilities, on files with these tables beside those of all capabilities.
  private static func contract(
    _ capabilities: Set<StoreCapability>, tables: Set<SQLCapability>
  ) -> PurchaseStoreContract {
    let files = ContractFiles(capabilities: tables)
    return PurchaseStoreContract(
      capabilities, close: { try await files.close($0) },
      reopen: { try await files.reopen($0) }, makeStore: { try await files.make() })
  }

  /// Each law, and the tables beside which it holds.
  static let laws: [(tables: String, law: ContractLaw)] = [
    ("all", contract([.subscriptions], tables: SQLCapability.all).laws),
    ("none", contract([], tables: []).laws),
    ("credits", contract([.credits], tables: [.credits]).laws),
    ("entitlements", contract([.entitlements], tables: [.entitlements]).laws),
    ("all", contract([.entitlements], tables: SQLCapability.all).ownLaws),
    ("orders", contract([.orders], tables: [.orders]).laws),
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

/// The files of the stores that laws were given.
private actor ContractFiles {
  private let capabilities: Set<SQLCapability>
  private var folders: [ObjectIdentifier: URL] = [:]
  private var handles: [URL: Int] = [:]

  init(capabilities: Set<SQLCapability> = SQLCapability.all) { self.capabilities = capabilities }

  func make() async throws -> SQLiteStore {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("storekeeper-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try await open(folder)
  }

  func reopen(_ store: SQLiteStore) async throws -> SQLiteStore {
    guard let folder = folders[ObjectIdentifier(store)] else {
      throw StorageFailure.conflict
    }
    return try await open(folder)
  }

  func close(_ store: SQLiteStore) async throws {
    guard let folder = folders.removeValue(forKey: ObjectIdentifier(store)) else { return }
    try await store.close()
    handles[folder, default: 0] -= 1
    if handles[folder] == 0 { try FileManager.default.removeItem(at: folder) }
  }

  private func open(_ folder: URL) async throws -> SQLiteStore {
    var configuration = SQLiteConfiguration()
    // Tests wait as long as it takes on a machine that does much else.
    configuration.waitLimit = .seconds(600)
    configuration.busyTimeout = .seconds(600)
    let store = try await SQLiteStore(
      path: folder.appendingPathComponent("contract.sqlite").path, capabilities: capabilities,
      configuration: configuration)
    folders[ObjectIdentifier(store)] = folder
    handles[folder, default: 0] += 1
    return store
  }
}
