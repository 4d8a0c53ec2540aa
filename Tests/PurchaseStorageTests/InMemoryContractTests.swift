import InMemoryStorage
import PurchaseStorage
import StorekeeperTesting
import Testing

@Suite("In memory")
struct InMemoryContractTests {
  private static func contract(_ capability: StoreCapability) -> PurchaseStoreContract {
    PurchaseStoreContract([capability], reopen: { $0 }) { InMemoryPurchaseStore() }
  }

  private static let contracts =
    ([.subscriptions, .credits, .entitlements, .orders] as [StoreCapability]).map(contract)
    + [PurchaseStoreContract { InMemoryPurchaseStore() }]

  @Test(
    "a store keeps every law, also for two holders of one store",
    arguments: contracts.flatMap(\.laws))
  func store(_ law: ContractLaw) async throws {
    try await law.check()
  }

  @Test(
    "a receipt store keeps every law of the contract",
    arguments: ReceiptStoreContract { InMemoryReceiptStore() }.laws)
  func receipts(_ law: ContractLaw) async throws {
    try await law.check()
  }

  @Test(
    "a directory keeps every law of the contract",
    arguments: AccountDirectoryContract { InMemoryAccountDirectory($0) }.laws)
  func directory(_ law: ContractLaw) async throws {
    try await law.check()
  }

  @Test("the whole contracts can be run in one call each")
  func run() async throws {
    for contract in Self.contracts { try await contract.run() }
    try await ReceiptStoreContract { InMemoryReceiptStore() }.run()
    try await AccountDirectoryContract { InMemoryAccountDirectory($0) }.run()
  }
}
