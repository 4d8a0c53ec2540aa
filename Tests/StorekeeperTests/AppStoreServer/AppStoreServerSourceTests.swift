import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Refreshing by the App Store Server API", .onEveryStore)
struct AppStoreServerSourceTests {
  @Test("a subscription without a receipt is refreshed by its statuses")
  func withoutReceipt() async throws {
    let scene = try await ServerScene()
    let purchase = try await scene.bought()
    scene.appStore.clock.advance(by: .days(30))
    let renewal = try scene.appStore.renew(purchase)
    let run = try await RefreshJob(subscriptions: scene.subscriptions).run()
    #expect((run.succeeded, run.failed) == (1, 0))
    let stored = try await scene.stored(purchase)
    #expect(stored.lastTransactionID == renewal.transactionID)
    #expect(stored.autoRenewal)
    #expect(scene.calls == ["subscriptions"])
  }

  @Test("the API is asked before verifyReceipt")
  func order() async throws {
    let scene = try await ServerScene(receipts: true)
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    _ = try await scene.subscriptions.verify(receipt: purchase.receipt)
    let before = scene.appStore.requests.count
    _ = try await scene.subscriptions.refresh(purchase.originalTransactionID)
    #expect(scene.appStore.requests.count == before)
    #expect(scene.calls == ["subscriptions"])
  }

  @Test("verifyReceipt is asked about a subscription that the API doesn't know")
  func unknown() async throws {
    let scene = try await ServerScene(
      receipts: true, transport: FixedAnswer(.notFound, #"{"errorCode":4040010}"#))
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    _ = try await scene.subscriptions.verify(receipt: purchase.receipt)
    let before = scene.appStore.requests.count
    _ = try await scene.subscriptions.refresh(purchase.originalTransactionID)
    #expect(scene.appStore.requests.count == before + 1)
  }

  @Test("a failure of Apple changes nothing, and the next source is asked")
  func failure() async throws {
    let scene = try await ServerScene(
      receipts: true, transport: FixedAnswer(.internalServerError))
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    _ = try await scene.subscriptions.verify(receipt: purchase.receipt)
    let before = (scene.appStore.requests.count, try await scene.stored(purchase))
    scene.appStore.fail(with: .status(.serverUnavailable))
    await #expect(throws: SubscriptionFailure.sourceFailed) {
      try await scene.subscriptions.refresh(purchase.originalTransactionID)
    }
    #expect(scene.appStore.requests.count == before.0 + 1)
    #expect(try await scene.stored(purchase) == before.1)
    _ = try await scene.subscriptions.refresh(purchase.originalTransactionID)
    #expect(scene.appStore.requests.count == before.0 + 2)
    let names = scene.incidents.all.compactMap { incident -> PurchaseScope? in
      if case .sourceFailed(_, let scope) = incident { scope } else { nil }
    }
    let name = PurchaseScope(
      vendor: .apple, appID: ServiceScene.bundleID, environment: .production)
    #expect(names == [name, name])
  }

  @Test("a status that contradicts the signed data leads to the history")
  func contradiction() async throws {
    let scene = try await ServerScene()
    let changed = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.url.contains("/subscriptions/") else { return }
      let text = String(decoding: response.body, as: UTF8.self)
      response.body = Array(text.replacing("\"status\":1", with: "\"status\":2").utf8)
    }
    let client = try ServerScene.client(of: scene.appStore, changed, scene.scene.verifier())
    let purchase = try await scene.bought()
    scene.appStore.clock.advance(by: .days(30))
    let renewal = try scene.appStore.renew(purchase)
    let facts = try await client.facts(about: PurchaseReference(scene.stored(purchase)))
    #expect(scene.calls == ["subscriptions", "history"])
    #expect(
      facts?.purchases.map(\.transactionID).sorted()
        == [purchase.transactionID, renewal.transactionID].sorted())
  }

  @Test("an environment that the verifier doesn't accept is not asked")
  func environment() async throws {
    let scene = try await ServerScene(environment: .sandbox)
    let purchase = try await scene.bought()
    var subscription = try await scene.stored(purchase)
    #expect(try await scene.client.facts(about: PurchaseReference(subscription)) != nil)
    subscription.environment = .xcode
    #expect(try await scene.client.facts(about: PurchaseReference(subscription)) == nil)
  }
}
