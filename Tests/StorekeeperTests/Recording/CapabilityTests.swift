import CreditPolicy
import EntitlementPolicy
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import SQLStorage
import SQLiteStorage
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("A database without what a service needs")
struct CapabilityTests {
  @Test("is told where the service is made, in a sentence that says what to do")
  func missing() async throws {
    let accounts = InMemoryAccountDirectory()
    let appStore = try AppStoreSimulator(bundleID: ServiceScene.bundleID)
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: appStore.bundleID, appAppleID: appStore.appAppleID)],
      environments: [.production], trustAnchors: [appStore.signedDataAuthority.trustAnchor])
    try await withSQLiteFile([.subscriptions]) { store, _ in
      let subscriptions = try SubscriptionService(
        store: store, accounts: accounts, products: ServiceScene.products)
      #expect(throws: StorageFailure.capabilityMissing("credits")) {
        try CreditService(
          store: store.forCredits, accounts: accounts, verifier: verifier,
          products: CreditProducts([]))
      }
      #expect(throws: StorageFailure.capabilityMissing("entitlements")) {
        try EntitlementService(store: store.forEntitlements, apps: [], verifier: verifier)
      }
      #expect(throws: StorageFailure.capabilityMissing("entitlements")) {
        try EntitlementService(
          store: store, subscriptions: subscriptions, apps: { EntitledApps([]) })
      }
      #expect(throws: StorageFailure.capabilityMissing("orders")) {
        try OrderService(store: store.forOrders, vendors: [])
      }
      // So is a unit of work of the host's own.
      await #expect(throws: StorageFailure.capabilityMissing("orders")) {
        try await store.read { try await $0.levels.all() }
      }
    }
    try await withSQLiteFile([.credits]) { store, _ in
      #expect(throws: StorageFailure.capabilityMissing("subscriptions")) {
        try SubscriptionService(
          store: store, accounts: accounts, products: ServiceScene.products)
      }
      _ = try CreditService(
        store: store.forCredits, accounts: accounts, verifier: verifier,
        products: CreditProducts([]))
    }
    #expect(
      "\(StorageFailure.capabilityMissing("credits"))"
        == "the database has no credits: open the store with that capability too")
  }
}
