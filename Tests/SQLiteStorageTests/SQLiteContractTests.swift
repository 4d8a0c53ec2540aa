import LockSupport
import PurchaseStorage
import SQLiteStorage
import StorekeeperTesting
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("The contract of stores, in SQLite")
struct SQLiteContractTests {
  @Test("a store keeps every law of the contract", arguments: contract.laws)
  func store(_ law: ContractLaw) async throws { try await law.check() }

  /// A file for each law; a second holder opens the same file, as another process does.
  private static var contract: PurchaseStoreContract {
    let paths = Locked<[ObjectIdentifier: String]>([:])
    return PurchaseStoreContract(
      close: { store in try await (store as? SQLiteStore)?.close() },
      reopen: { store in
        let path = paths.withLock { $0[ObjectIdentifier(store as AnyObject)] }
        return try await SQLiteStore(path: try #require(path))
      },
      makeStore: {
        let path = FileManager.default.temporaryDirectory
          .appending(path: "storekeeper-\(UUID().uuidString).sqlite").path()
        let store = try await SQLiteStore(path: path)
        paths.withLock { $0[ObjectIdentifier(store)] = path }
        return store
      })
  }
}
