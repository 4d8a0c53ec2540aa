import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Reconciliation with Apple's history", .onEveryStore)
struct ReconciliationTests {
  @Test("a refund that nobody told of ends the membership")
  func refund() async throws {
    let scene = try await ServerScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    _ = try await scene.subscriptions.link(
      "alice", to: scene.scene.transaction(purchase),
      renewalInfo: scene.scene.renewalInfo(purchase))
    let isMember = try await scene.subscriptions.membership(of: "alice")?
      .grantsAccess(at: scene.appStore.now)
    #expect(isMember == true)
    scene.appStore.clock.advance(by: .days(1))
    try scene.appStore.refund(purchase)
    let found = try await scene.subscriptions.reconcile(
      purchase.originalTransactionID, with: scene.client)
    #expect(found.revoked == [purchase.transactionID])
    #expect(found.added.isEmpty)
    #expect(found.transactions == 1)
    let isStill = try await scene.subscriptions.membership(of: "alice")?
      .grantsAccess(at: scene.appStore.now)
    #expect(isStill != true)
    try scene.appStore.reverseRefund(purchase)
    let restored = try await scene.subscriptions.reconcile(
      purchase.originalTransactionID, with: scene.client)
    #expect(restored.restored == [purchase.transactionID])
  }

  @Test("renewals that were missed are added, and the revision is stored with them")
  func renewals() async throws {
    let scene = try await ServerScene()
    let purchase = try await scene.bought()
    var ids: [String] = []
    for _ in 0..<25 {
      scene.appStore.clock.advance(by: .days(30))
      ids.append(try scene.appStore.renew(purchase).transactionID)
    }
    let found = try await scene.subscriptions.reconcile(
      purchase.originalTransactionID, with: scene.client)
    #expect(found.transactions == 26)
    #expect(found.added.sorted() == ids.sorted())
    #expect(try await scene.stored(purchase).lastTransactionID == ids.last)
    let revision = try await scene.scene.store.read { records in
      try await records.purchases.revision(
        of: purchase.originalTransactionID, environment: .production, kind: .history)
    }
    #expect(revision != nil)
    let again = try await scene.subscriptions.reconcile(
      purchase.originalTransactionID, with: scene.client, since: .lastRevision)
    #expect(again.transactions == 0)
  }

  @Test("purchases of all kinds are recorded, also without a subscription")
  func kinds() async throws {
    let scene = try await ServerScene()
    let coffee = try scene.appStore.buy("reader.coffee")
    let found = try await scene.subscriptions.reconcile(coffee.transactionID, with: scene.client)
    #expect(found.added == [coffee.transactionID])
    #expect(found.subscriptions.isEmpty)
    let rows = try await scene.scene.store.read { records in
      try await records.purchases.transactions(
        of: [coffee.originalTransactionID], environment: .production)
    }
    #expect(rows.map(\.transactionID) == [coffee.transactionID])
  }

  @Test("the refund history alone finds refunds")
  func refunds() async throws {
    let scene = try await ServerScene()
    let purchase = try await scene.bought()
    #expect(
      try await scene.subscriptions.reconcileRefunds(
        purchase.originalTransactionID, with: scene.client) == nil)
    try scene.appStore.refund(purchase)
    let found = try await scene.subscriptions.reconcileRefunds(
      purchase.originalTransactionID, with: scene.client)
    #expect(found?.revoked == [purchase.transactionID])
  }

  @Test("the Sandbox is asked about a customer whom Production doesn't know")
  func sandbox() async throws {
    let scene = try await ServerScene(environment: .sandbox)
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let found = try await scene.subscriptions.reconcile(
      purchase.originalTransactionID, with: scene.client)
    #expect(found.environment == .sandbox)
    #expect(try await scene.stored(purchase).environment == .sandbox)
  }

  @Test("an ID that is not one is refused before Apple is asked", arguments: ["", "1/2", "x"])
  func hostile(id: String) async throws {
    let scene = try await ServerScene()
    await #expect(throws: SubscriptionFailure.invalidTransactionID) {
      try await scene.subscriptions.reconcile(id, with: scene.client)
    }
    #expect(scene.appStore.serverAPIRequests.isEmpty)
  }
}
