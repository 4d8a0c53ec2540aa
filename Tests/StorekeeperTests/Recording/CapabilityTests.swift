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
        PurchaseContext(store: store, accounts: accounts), products: ServiceScene.products)
      #expect(throws: ServiceFailure.capabilityMissing("credits")) {
        try CreditService(
          PurchaseContext(store: store, accounts: accounts, verifier: verifier),
          products: CreditProducts([]))
      }
      #expect(throws: ServiceFailure.capabilityMissing("entitlements")) {
        try EntitlementService(PurchaseContext(store: store, verifier: verifier), apps: [])
      }
      #expect(throws: ServiceFailure.capabilityMissing("entitlements")) {
        try EntitlementService(
          subscriptions.context, subscriptions: subscriptions, apps: { EntitledApps([]) })
      }
      #expect(throws: ServiceFailure.capabilityMissing("orders")) {
        try OrderService(PurchaseContext(store: store), vendors: [])
      }
      // So is a unit of work of the host's own.
      await #expect(throws: StorageFailure.capabilityMissing("orders")) {
        try await store.read { try await $0.levels.all() }
      }
    }
    try await withSQLiteFile([.credits]) { store, _ in
      #expect(throws: ServiceFailure.capabilityMissing("subscriptions")) {
        try SubscriptionService(
          PurchaseContext(store: store, accounts: accounts), products: ServiceScene.products)
      }
      let context = PurchaseContext(store: store, accounts: accounts, verifier: verifier)
      _ = try CreditService(context, products: CreditProducts([]))
      // Nor without a verifier, where the service needs one.
      #expect(throws: ServiceFailure.verifierMissing) {
        try CreditService(context.with(verifier: nil), products: CreditProducts([]))
      }
      #expect(throws: ServiceFailure.verifierMissing) {
        try NotificationService(context.with(verifier: nil))
      }
    }
    #expect(
      "\(ServiceFailure.capabilityMissing("credits"))"
        == "the database has no credits: open the store with that capability too")
  }
}
