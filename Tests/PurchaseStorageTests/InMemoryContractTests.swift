import InMemoryStorage
import PurchaseStorage
import StorekeeperTesting
import Testing

@Suite("In memory")
struct InMemoryContractTests {
  @Test(
    "a store keeps every law of the contract",
    arguments: PurchaseStoreContract([.subscriptions]) { InMemoryPurchaseStore() }.laws)
  func store(_ law: ContractLaw) async throws {
    try await law.check()
  }

  @Test(
    "a store keeps every law of any capability",
    arguments: PurchaseStoreContract { InMemoryPurchaseStore() }.laws)
  func commonLaws(_ law: ContractLaw) async throws {
    try await law.check()
  }

  @Test(
    "two holders of one store keep every law of the contract",
    arguments: sharedLaws)
  func sharedStore(_ law: ContractLaw) async throws {
    try await law.check()
  }

  private static var sharedLaws: [ContractLaw] {
    let others = Set(
      PurchaseStoreContract([.subscriptions]) { InMemoryPurchaseStore() }.laws.map(\.name))
    return PurchaseStoreContract([.subscriptions], reopen: { $0 }) { InMemoryPurchaseStore() }
      .laws.filter { !others.contains($0.name) }
  }

  @Test(
    "a store keeps every law of credits, also for two holders of one store",
    arguments: PurchaseStoreContract([.credits], reopen: { $0 }) { InMemoryPurchaseStore() }.laws)
  func creditLaws(_ law: ContractLaw) async throws {
    try await law.check()
  }

  @Test(
    "a store keeps every law of entitlements, also for two holders of one store",
    arguments: PurchaseStoreContract([.entitlements], reopen: { $0 }) { InMemoryPurchaseStore() }
      .laws)
  func entitlementLaws(_ law: ContractLaw) async throws {
    try await law.check()
  }

  @Test(
    "a store keeps every law of orders, also for two holders of one store",
    arguments: PurchaseStoreContract([.orders], reopen: { $0 }) { InMemoryPurchaseStore() }.laws)
  func orderLaws(_ law: ContractLaw) async throws {
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
    try await PurchaseStoreContract([.subscriptions], reopen: { $0 }) { InMemoryPurchaseStore() }
      .run()
    try await PurchaseStoreContract([.credits], reopen: { $0 }) { InMemoryPurchaseStore() }.run()
    try await PurchaseStoreContract([.entitlements], reopen: { $0 }) { InMemoryPurchaseStore() }
      .run()
    try await PurchaseStoreContract([.orders], reopen: { $0 }) { InMemoryPurchaseStore() }.run()
    try await PurchaseStoreContract { InMemoryPurchaseStore() }.run()
    try await ReceiptStoreContract { InMemoryReceiptStore() }.run()
    try await AccountDirectoryContract { InMemoryAccountDirectory($0) }.run()
  }
}
