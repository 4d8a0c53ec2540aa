import InMemoryStorage
import SQLStorage
import SQLiteStorage
import StoreSimulators
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
        try EntitlementService(
          PurchaseContext(store: store, accounts: UnlistedAccounts(), verifier: verifier), apps: [])
      }
      #expect(throws: ServiceFailure.capabilityMissing("entitlements")) {
        try EntitlementService(
          subscriptions.context, subscriptions: subscriptions, apps: { EntitledApps([]) })
      }
      #expect(throws: ServiceFailure.capabilityMissing("orders")) {
        try OrderService(PurchaseContext(store: store, accounts: UnlistedAccounts()), vendors: [])
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

  @Test("a service asks the sources of its context, then about stored receipts if it has a client")
  func sources() throws {
    let appStore = try AppStoreSimulator(bundleID: ServiceScene.bundleID)
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: appStore.bundleID, appAppleID: appStore.appAppleID)],
      environments: [.production], trustAnchors: [appStore.signedDataAuthority.trustAnchor])
    let client = try ServiceScene.client(of: appStore)
    let context = PurchaseContext(
      store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(),
      sources: [try ServerScene.client(of: appStore, appStore, verifier)])
    let subscriptions = try SubscriptionService(
      context, products: ServiceScene.products, appStore: client)
    #expect(subscriptions.sources.count == 2)
    #expect(try SubscriptionService(context, products: [:]).sources.count == 1)
    for subscriptions in [subscriptions, nil] {
      let service = try EntitlementService(context, apps: [], subscriptions: subscriptions)
      #expect(service.sources.count == 1)
      let asking = try EntitlementService(
        context, apps: [], subscriptions: subscriptions, appStore: client)
      #expect(asking.sources.count == 2)
      #expect(asking.sources.first is AppStoreServerClient)
    }
  }

  @Test("a service that follows another one needs that one's tables too")
  func followed() async throws {
    let all = PurchaseContext(store: InMemoryPurchaseStore(), accounts: UnlistedAccounts())
    let subscriptions = try SubscriptionService(all, products: [:])
    let entitlements = try EntitlementService(all, apps: [])
    func only(_ capability: StoreCapability) -> PurchaseContext {
      var context = all
      context.store = WrappedStore(InMemoryPurchaseStore(), capabilities: [capability])
      return context
    }
    #expect(throws: ServiceFailure.capabilityMissing("subscriptions")) {
      try EntitlementService(only(.entitlements), apps: [], subscriptions: subscriptions)
    }
    #expect(throws: ServiceFailure.capabilityMissing("subscriptions")) {
      try OrderService(only(.orders), vendors: [], subscriptions: subscriptions)
    }
    #expect(throws: ServiceFailure.capabilityMissing("entitlements")) {
      try OrderService(only(.orders), vendors: [], entitlements: entitlements)
    }
    #expect(throws: ServiceFailure.capabilityMissing("entitlements")) {
      try NotificationService(only(.subscriptions), entitlements: entitlements)
    }
  }
}
