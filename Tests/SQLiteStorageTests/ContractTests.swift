import Foundation
import InMemoryStorage
import PurchaseStorage
import SQLStorage
import SQLiteStorage
import StorekeeperTesting
import Testing

@Suite("The contract of a store, in SQLite")
struct SQLiteContractTests {
  static var contract: PurchaseStoreContract {
    let files = ContractFiles()
    return PurchaseStoreContract(
      [.subscriptions], close: { try await files.close($0) },
      reopen: { try await files.reopen($0) },
      makeStore: { try await files.make() })
  }

  /// Of files that have only the tables of all capabilities.
  static var commonContract: PurchaseStoreContract {
    let files = ContractFiles(capabilities: [])
    return PurchaseStoreContract(
      close: { try await files.close($0) }, makeStore: { try await files.make() })
  }

  /// Of files that have only the tables of credits, besides those of all capabilities.
  static var creditContract: PurchaseStoreContract {
    let files = ContractFiles(capabilities: [.credits])
    return PurchaseStoreContract(
      [.credits], close: { try await files.close($0) }, reopen: { try await files.reopen($0) },
      makeStore: { try await files.make() })
  }

  /// Of files that have only the tables of entitlements, besides those of all capabilities.
  static var entitlementContract: PurchaseStoreContract {
    let files = ContractFiles(capabilities: [.entitlements])
    return PurchaseStoreContract(
      [.entitlements], close: { try await files.close($0) }, reopen: { try await files.reopen($0) },
      makeStore: { try await files.make() })
  }

  /// Of files that have the tables of all capabilities.
  static var fullEntitlementContract: PurchaseStoreContract {
    let files = ContractFiles()
    return PurchaseStoreContract(
      [.entitlements], close: { try await files.close($0) }, reopen: { try await files.reopen($0) },
      makeStore: { try await files.make() })
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

  /// Of files that have only the tables of orders, besides those of all capabilities.
  static var orderContract: PurchaseStoreContract {
    let files = ContractFiles(capabilities: [.orders])
    return PurchaseStoreContract(
      [.orders], close: { try await files.close($0) }, reopen: { try await files.reopen($0) },
      makeStore: { try await files.make() })
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
