import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// Source: credit rules, section 6; linking rules, section 5.
@Suite("One webhook for subscriptions and credits", .onEveryStore)
struct SharedWebhookTests {
  /// Credits that come with a subscription.
  private static let gift = CreditProduct(
    code: "monthly", appStoreProductID: ServiceScene.monthly, credits: 30)

  private func run(
    gift: Bool = false, _ body: nonisolated(nonsending) (CreditScene) async throws -> Void
  ) async throws {
    try await CreditScene.run {
      $0.hasSubscriptions = true
      if gift { $0.products.append(Self.gift) }
    } _: { (scene) async throws in
      try await body(scene)
    }
  }

  private func receive(_ scene: CreditScene, _ notification: TestNotification) async throws {
    try await scene.notifications.receive(creditPayload: notification.signedPayload)
  }

  private func isNoted(_ scene: CreditScene, _ notification: TestNotification) async throws -> Bool
  {
    try await scene.store.read { records in
      try await records.notifications.isSeen(notificationKey: "v2:" + notification.uuid)
    }
  }

  @Test("a service without credits neither reads nor writes what is recorded for credits")
  func withoutCredits() async throws {
    try await run { (scene) async throws in
      let notifications = try NotificationService(
        scene.notifications.context, subscriptions: scene.subscriptions)
      let purchase = try scene.appStore.buy(ServiceScene.monthly)
      let notification = purchase.notification
      try await scene.store.write { unit in
        _ = try await unit.creditNotifications.record(
          CreditNotification(
            uuid: notification.uuid, type: "SUBSCRIBED", environment: .production,
            signedDate: ServiceScene.start, outcome: .ignoredEnvironment,
            processedDate: ServiceScene.start))
      }
      try await notifications.receive(creditPayload: notification.signedPayload)
      #expect(
        try await scene.subscriptions.subscription(purchase.originalTransactionID).expiresDate
          == ServiceScene.start + 30 * 86_400)
      let foreign = try scene.notification(
        .refund, scene.transaction { $0.environment = AppStoreEnvironment(rawValue: "Moon") },
        uuid: "foreign")
      try await notifications.receive(creditPayload: foreign)
      #expect(try await scene.recorded("foreign") == nil)
    }
  }

  @Test("a subscription of no credit product is recorded as one, and no news for credits")
  func subscription() async throws {
    try await run { (scene) async throws in
      let purchase = try scene.appStore.buy(ServiceScene.monthly)
      try await receive(scene, purchase.notification)
      let id = purchase.originalTransactionID
      #expect(
        try await scene.subscriptions.subscription(id).expiresDate
          == ServiceScene.start + 30 * 86_400)
      #expect(try await isNoted(scene, purchase.notification))
      #expect(try await scene.recorded(purchase.notification.uuid) == nil)
      scene.appStore.clock.advance(by: .days(2))
      let refund = try scene.appStore.refund(purchase)
      try await receive(scene, refund)
      #expect(
        try await scene.subscriptions.subscription(id).expiresDate
          == ServiceScene.start + 2 * 86_400)
      #expect(try await scene.recorded(refund.uuid) == nil)
      #expect(try await scene.row(purchase.transactionID) == nil)
      #expect(try await scene.entries().isEmpty)
    }
  }

  @Test("credits leave subscriptions as they are")
  func credits() async throws {
    try await run { (scene) async throws in
      let monthly = try scene.appStore.buy(ServiceScene.monthly)
      try await receive(scene, monthly.notification)
      _ = try await scene.subscriptions.link("u1", to: monthly.originalTransactionID)
      let id = monthly.originalTransactionID
      let before = try await scene.subscriptions.subscription(id)
      let pack = try scene.appStore.buy(CreditScene.big)
      try await receive(scene, pack.notification)
      #expect(try await scene.recorded(pack.notification.uuid)?.outcome == .ignoredType)
      let verified = try scene.verifier.transaction(pack.signedTransactionInfo)
      _ = try await scene.credits.grant(verified, of: "big_pack", to: "u1")
      scene.appStore.clock.advance(by: .seconds(60))
      let refund = try scene.appStore.refund(pack)
      try await receive(scene, refund)
      try await receive(scene, refund)
      #expect(try await scene.recorded(refund.uuid)?.outcome == .clawedBack)
      #expect(try await isNoted(scene, refund))
      #expect(try await scene.balance() == 100)
      #expect(try await scene.subscriptions.subscription(id) == before)
      #expect(try await scene.kept(pack.transactionID).first?.isCancelled == true)
      #expect(scene.incidents.all.isEmpty)
    }
  }

  @Test("a subscription that gives credits: a refund takes both back, in one unit of work")
  func both() async throws {
    try await run(gift: true) { (scene) async throws in
      let purchase = try scene.appStore.buy(ServiceScene.monthly)
      try await receive(scene, purchase.notification)
      #expect(try await scene.recorded(purchase.notification.uuid)?.outcome == .ignoredType)
      let verified = try scene.verifier.transaction(purchase.signedTransactionInfo)
      _ = try await scene.credits.grant(verified, of: "monthly", to: "u1")
      #expect(try await scene.balance() == 130)
      scene.appStore.clock.advance(by: .days(2))
      let refund = try scene.appStore.refund(purchase)
      for _ in 1...2 { try await receive(scene, refund) }
      #expect(try await scene.recorded(refund.uuid)?.outcome == .clawedBack)
      #expect(try await isNoted(scene, refund))
      #expect(try await scene.balance() == 100)
      #expect(
        try await scene.subscriptions.subscription(purchase.originalTransactionID).expiresDate
          == ServiceScene.start + 2 * 86_400)
    }
  }

  @Test(
    "a failure of one rolls back the other",
    arguments: [HostRecords.Place.subscriptions, .creditNotifications, .creditTransactions])
  func oneUnit(place: HostRecords.Place) async throws {
    try await run(gift: true) { (scene) async throws in
      let purchase = try scene.appStore.buy(ServiceScene.monthly)
      try await receive(scene, purchase.notification)
      let verified = try scene.verifier.transaction(purchase.signedTransactionInfo)
      _ = try await scene.credits.grant(verified, of: "monthly", to: "u1")
      let before = try await scene.subscriptions.subscription(purchase.originalTransactionID)
      scene.appStore.clock.advance(by: .days(2))
      let refund = try scene.appStore.refund(purchase)
      scene.faults.arm(place)
      await #expect(throws: BrokenConnection.self) { try await receive(scene, refund) }
      #expect(
        try await scene.subscriptions.subscription(purchase.originalTransactionID) == before)
      #expect(try await scene.balance() == 130)
      #expect(try await scene.recorded(refund.uuid) == nil)
      #expect(try await !isNoted(scene, refund))
      #expect(try await scene.kept(purchase.transactionID).first?.isCancelled == false)
      try await scene.audit()
      try await receive(scene, refund)
      #expect(try await scene.balance() == 100)
      #expect(
        try await scene.subscriptions.subscription(purchase.originalTransactionID).expiresDate
          == scene.appStore.now)
    }
  }

  @Test("a product that left the credits is still taken back, because its transaction is stored")
  func removedProduct() async throws {
    try await run(gift: true) { (scene) async throws in
      let purchase = try scene.appStore.buy(ServiceScene.monthly)
      let verified = try scene.verifier.transaction(purchase.signedTransactionInfo)
      _ = try await scene.credits.grant(verified, of: "monthly", to: "u1")
      let credits = try CreditService(
        PurchaseContext(store: scene.store, accounts: CreditAccounts(), verifier: scene.verifier),
        products: CreditProducts())
      let notifications = try NotificationService(
        scene.subscriptions.context.with(verifier: scene.verifier),
        subscriptions: scene.subscriptions, credits: credits)
      scene.appStore.clock.advance(by: .days(1))
      let refund = try scene.appStore.refund(purchase)
      try await notifications.receive(creditPayload: refund.signedPayload)
      #expect(try await scene.recorded(refund.uuid)?.outcome == .clawedBack)
      #expect(try await scene.balance() == 100)
    }
  }

  @Test("a subscription that is a credit product only needs no plan")
  func withoutPlan() async throws {
    try await CreditScene.run {
      $0.hasSubscriptions = true
      $0.products.append(
        CreditProduct(code: "weekly", appStoreProductID: "gems.weekly", credits: 10))
    } _: { (scene) async throws in
      let transaction = scene.transaction(of: "gems.weekly") {
        $0.type = .autoRenewableSubscription
        $0.expiresDate = ServiceScene.start + 7 * 86_400
      }
      #expect(try await scene.verify(transaction, as: "weekly").newBalance == 110)
      #expect(try await scene.notify(.didFailToRenew, transaction) == .clawedBack)
      #expect(try await scene.balance() == 100)
      // One of neither is not noted, so that Apple sends it again.
      let unknown = scene.transaction(CreditScene.y, of: "gems.daily") {
        $0.type = .autoRenewableSubscription
        $0.expiresDate = ServiceScene.start + 86_400
      }
      let token = try scene.notification(.refund, unknown, uuid: "unknown")
      let failure = try await refusal {
        try await scene.notifications.receive(creditPayload: token)
      }
      #expect(failure == .subscription(.unknownProduct))
      #expect(try await scene.recorded("unknown") == nil)
    }
  }

  @Test("the refund of a pack that is not mapped is remembered beside entitlements, for ever")
  func unmappedPack() async throws {
    let (appStore, verifier) = try await Self.shop()
    let store = InMemoryPurchaseStore()
    let mapping = Mapping()
    let credits = try CreditService(
      PurchaseContext(
        store: store, accounts: CreditAccounts(), verifier: verifier, now: { appStore.now }),
      products: { mapping.products.withLock { $0 } })
    let entitlements = try EntitlementService(
      PurchaseContext(
        store: store, accounts: UnlistedAccounts(), verifier: verifier, now: { appStore.now }),
      apps: [
        EntitledApp(
          bundleID: ServiceScene.bundleID, catalog: try ProductCatalog(json: Array("[]".utf8)))
      ])
    let notifications = try NotificationService(
      credits.context, credits: credits, entitlements: entitlements)
    let purchase = try appStore.buy(CreditScene.big)
    let old = try verifier.transaction(purchase.signedTransactionInfo)
    try await notifications.receive(signedPayload: appStore.refund(purchase).signedPayload)
    let row = try await store.read {
      try await $0.creditTransactions.find(
        transactionID: purchase.transactionID, environment: .production)
    }
    #expect(row?.status == .revokedPending)
    let products = try CreditProducts(CreditScene.products)
    mapping.products.withLock { $0 = products }
    for _ in 0..<2 {
      #expect(
        try await creditFailure { try await credits.grant(old, of: "big_pack", to: "u1") }
          == .refused(.revoked))
      appStore.clock.advance(by: .days(400))
    }
    #expect(try await credits.balance(of: "u1") == 0)
  }

  /// The packs of a host, which a test changes.
  private final class Mapping: Sendable {
    let products = Locked(CreditProducts())
  }

  /// An App Store that sells packs, and a verifier of what it signs.
  private static func shop() async throws -> (AppStoreSimulator, SignedDataVerifier) {
    let appStore = try AppStoreSimulator(
      bundleID: ServiceScene.bundleID, environment: .production,
      products: [TestProduct(CreditScene.big, .consumable)]
    ) {
      $0.authority = ServiceScene.authority
      $0.start = ServiceScene.start
    }
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: ServiceScene.bundleID, appAppleID: appStore.appAppleID)],
      environments: [.production, .sandbox],
      trustAnchors: [appStore.signedDataAuthority.trustAnchor],
      now: { appStore.now })
    return (appStore, verifier)
  }

  @Test("a recovery takes credits back, and asks about subscriptions only")
  func recovered() async throws {
    try await run { (scene) async throws in
      let monthly = try scene.appStore.buy(ServiceScene.monthly)
      try await receive(scene, monthly.notification)
      let pack = try scene.appStore.buy(CreditScene.big)
      _ = try await scene.recoverLostRefund(of: pack)
      #expect(scene.incidents.all.isEmpty)
    }
  }

  @Test("a request for consumption information is kept beside credits")
  func consumption() async throws {
    try await run { (scene) async throws in
      let pack = try scene.appStore.buy(CreditScene.big)
      let request = try scene.appStore.requestRefund(pack)
      try await receive(scene, request)
      #expect(try await scene.recorded(request.uuid)?.outcome == .ignoredType)
      let cases = try await scene.store.read { records in
        try await records.consumption.cases(
          ofTransaction: pack.transactionID, environment: .production)
      }
      #expect(cases.count == 1)
      #expect(try await scene.messages().map(\.kind) == [.consumption])
    }
  }
}
