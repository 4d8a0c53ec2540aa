import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Notifications about what users may use", .onEveryStore)
struct EntitlementNotificationTests {
  @Test("a refund of a product takes it away at once, and its reversal gives it back (row 17)")
  func refund() async throws {
    let scene = try await DrawScene()
    let frames = try await scene.buy("frames")
    scene.appStore.clock.advance(by: .days(1))
    try await scene.receive(try scene.appStore.refund(frames))
    #expect(try await scene.allowed().isEmpty)
    scene.appStore.clock.advance(by: .days(1))
    try await scene.receive(try scene.appStore.reverseRefund(frames))
    #expect(try await scene.allowed() == DrawScene.ids("frames"))
  }

  @Test("a renewal prolongs the subscription, and plans the next validation")
  func renewal() async throws {
    let scene = try await DrawScene()
    let full = try await scene.buy("full.monthly")
    scene.appStore.clock.advance(by: .days(30))
    try await scene.receive(try scene.appStore.renew(full).notification)
    let answer = try await scene.entitlements()
    #expect(answer.subscription?.subscription.expiresDate == ServiceScene.start + 60 * 86_400)
    // Seven days after the last validation; the notification is none.
    #expect(
      try await scene.validation()?.nextValidationDate == ServiceScene.start + 7 * 86_400)
    #expect(try await scene.validation()?.validatedDate == ServiceScene.start)
  }

  @Test("Apple's grace period keeps the subscription active until its end")
  func grace() async throws {
    let scene = try await DrawScene()
    let full = try await scene.buy("full.monthly")
    scene.appStore.clock.advance(by: .days(30))
    try await scene.receive(try scene.appStore.failRenewal(full, gracePeriod: .days(16)))
    scene.appStore.clock.advance(by: .days(16) - .seconds(1))
    #expect(try await scene.entitlements().isSubscriber)
    scene.appStore.clock.advance(by: .seconds(1))
    #expect(try await !scene.entitlements().isSubscriber)
  }

  @Test("the same notification twice, and one about nobody's purchase, change nothing more")
  func repeated() async throws {
    let scene = try await DrawScene()
    let stranger = try scene.appStore.buy(DrawScene.id("paper"), by: "stranger")
    try await scene.receive(stranger.notification)
    #expect(try await scene.association(of: stranger) == nil)
    let frames = try await scene.buy("frames")
    scene.appStore.clock.advance(by: .days(1))
    let refund = try scene.appStore.refund(frames)
    try await scene.receive(refund)
    try await scene.receive(refund)
    #expect(try await scene.allowed().isEmpty)
    // The facts were kept: who sends the transaction later has the purchase.
    try await scene.send(try stranger.signedTransactionInfo, by: "u-2")
    #expect(try await scene.allowed(of: "u-2") == DrawScene.ids("paper"))
  }
}

@Suite("Entitlements beside memberships")
struct SharedStoreTests {
  @Test("memberships follow what is uploaded for entitlements, and notifications reach both")
  func both() async throws {
    let appStore = try AppStoreSimulator(bundleID: ServiceScene.bundleID) {
      $0.authority = ServiceScene.authority
      $0.start = ServiceScene.start
    }
    let store = InMemoryPurchaseStore()
    let accounts = InMemoryAccountDirectory()
    accounts.add(Account(id: "alice"))
    let verifier = try await ServiceScene(appStore: appStore).verifier()
    let subscriptions = try SubscriptionService(
      PurchaseContext(store: store, accounts: accounts, now: { appStore.now }),
      products: ServiceScene.products)
    let list = """
      [{"identifier": "reader.monthly", "productType": "renewableSubscription"},
       {"identifier": "reader.lifetime", "productType": "nonConsumable"}]
      """
    let apps = EntitledApps([
      EntitledApp(
        bundleID: ServiceScene.bundleID, catalog: try ProductCatalog(json: Array(list.utf8)))
    ])
    let service = try EntitlementService(
      subscriptions.context.with(verifier: verifier), subscriptions: subscriptions, apps: { apps })
    let notifications = try NotificationService(
      service.context, entitlements: service)
    let purchase = try appStore.buy(ServiceScene.monthly, by: "phone")
    _ = try await subscriptions.link(
      "alice", to: verifier.transaction(purchase.signedTransactionInfo))
    appStore.clock.advance(by: .days(30))
    let renewal = try appStore.renew(purchase)
    let answer = try await service.validate(
      UploadedEvidence(signedTransactions: [try renewal.signedTransactionInfo]), for: "alice",
      in: ServiceScene.bundleID)
    #expect(answer.entitlements.isSubscriber)
    let followed = try #require(try await subscriptions.membership(of: "alice"))
    #expect(followed.grantsAccess(at: appStore.now + 20 * 86_400))
    appStore.clock.advance(by: .days(1))
    try await notifications.receive(signedPayload: appStore.refund(renewal).signedPayload)
    let ended = try #require(try await subscriptions.membership(of: "alice"))
    #expect(!ended.grantsAccess(at: appStore.now))
    let lapsed = try await service.products(of: "alice", in: ServiceScene.bundleID)
    #expect(lapsed.subscription?.subscription.expiresDate == ServiceScene.start + 30 * 86_400)
    // Listed, although no membership comes from it.
    let lifetime = try appStore.buy("reader.lifetime", by: "phone")
    try await notifications.receive(signedPayload: lifetime.notification.signedPayload)
    let kept = try await store.read { records in
      try await records.purchases.transactions(
        of: [lifetime.originalTransactionID], environment: .production)
    }
    #expect(kept.map(\.productID) == ["reader.lifetime"])
  }

  @Test(
    "a subscription that neither memberships nor the list know is refused, so that Apple repeats it"
  )
  func unknown() async throws {
    let appStore = try AppStoreSimulator(bundleID: ServiceScene.bundleID) {
      $0.authority = ServiceScene.authority
      $0.start = ServiceScene.start
    }
    let store = InMemoryPurchaseStore()
    let verifier = try await ServiceScene(appStore: appStore).verifier()
    let subscriptions = try SubscriptionService(
      PurchaseContext(store: store, accounts: InMemoryAccountDirectory(), now: { appStore.now }),
      products: [:])
    func notifications(_ list: String) throws -> NotificationService {
      let apps = EntitledApps([
        EntitledApp(
          bundleID: ServiceScene.bundleID, catalog: try ProductCatalog(json: Array(list.utf8)))
      ])
      return try NotificationService(
        try EntitlementService(
          subscriptions.context.with(verifier: verifier), subscriptions: subscriptions,
          apps: { apps }
        ).context.with(verifier: verifier),
        entitlements: try EntitlementService(
          subscriptions.context.with(verifier: verifier), subscriptions: subscriptions,
          apps: { apps }))
    }
    let payload = try appStore.buy(ServiceScene.monthly).notification.signedPayload
    await #expect(throws: (any Error).self) {
      try await notifications("[]").receive(signedPayload: payload)
    }
    try await notifications(
      #"[{"identifier": "reader.monthly", "productType": "renewableSubscription"}]"#
    ).receive(signedPayload: payload)
  }
}
