import Foundation
import StoreSimulators
import StorekeeperHTTP
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Notifications of version 2", .onEveryStore)
struct NotificationV2Tests {
  @Test("make the subscription what the signed transaction and renewal info say")
  func first() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let token = try scene.signed(
      .subscribed, scene.transaction(purchase, expires: ServiceScene.start + 30 * 86_400),
      scene.renewal(purchase, willRenew: true))
    try await scene.service.receive(signedPayload: token)
    let subscription = try await scene.scene.service.subscription(purchase.originalTransactionID)
    #expect(subscription.expiresDate == ServiceScene.start + 30 * 86_400)
    #expect(subscription.autoRenewal)
    #expect(scene.scene.appStore.requests.isEmpty)
  }

  @Test("of a refund end the membership, and of its reversal restore it")
  func refund() async throws {
    let scene = try await NotificationScene()
    let purchase = try await scene.scene.bought()
    let id = purchase.originalTransactionID
    _ = try await scene.scene.service.link("alice", to: id)
    scene.scene.appStore.clock.advance(by: .days(2))
    var refunded = scene.transaction(purchase, expires: ServiceScene.start + 30 * 86_400)
    refunded.revocationDate = scene.scene.now
    refunded.revocationReason = .other
    try await scene.service.receive(
      signedPayload: try scene.signed(.refund, refunded, scene.renewal(purchase, willRenew: false)))
    let ended = try #require(try await scene.scene.membership(of: "alice"))
    #expect(ended.expireDate == CalendarDay("2023-11-16"))
    #expect(!ended.autoRenew)
    #expect(
      try await scene.scene.history(of: id).contains { event in
        if case .snapshot(_, .webhook) = event.kind { true } else { false }
      })

    scene.scene.appStore.clock.advance(by: .days(1))
    try await scene.service.receive(
      signedPayload: try scene.signed(
        .refundReversed, scene.transaction(purchase, expires: ServiceScene.start + 30 * 86_400),
        uuid: "5f1b1ad1-7c5b-4a2b-9f3c-000000000002"))
    #expect(
      try await scene.scene.membership(of: "alice")?.expireDate == CalendarDay("2023-12-14"))
  }

  @Test("that were seen change nothing, whatever they hold")
  func seen() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    try await scene.service.receive(
      signedPayload: try scene.signed(
        .subscribed, scene.transaction(purchase, expires: ServiceScene.start + 30 * 86_400)))
    scene.scene.appStore.clock.advance(by: .days(1))
    try await scene.service.receive(
      signedPayload: try scene.signed(
        .didRenew, scene.transaction(purchase, expires: ServiceScene.start + 60 * 86_400)))
    #expect(
      try await scene.scene.service.subscription(purchase.originalTransactionID).expiresDate
        == ServiceScene.start + 30 * 86_400)
  }

  @Test("that arrive late lose to newer ones")
  func late() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let end = ServiceScene.start + 30 * 86_400
    let early = try scene.signed(
      .subscribed, scene.transaction(purchase, expires: end),
      scene.renewal(purchase, willRenew: true), uuid: "early")
    scene.scene.appStore.clock.advance(by: .seconds(60))
    var refunded = scene.transaction(purchase, expires: end)
    refunded.revocationDate = scene.scene.now
    try await scene.service.receive(
      signedPayload: try scene.signed(
        .refund, refunded, scene.renewal(purchase, willRenew: false), uuid: "late"))
    let subscription = try await scene.scene.service.subscription(purchase.originalTransactionID)
    try await scene.service.receive(signedPayload: early)
    #expect(
      try await scene.scene.service.subscription(purchase.originalTransactionID) == subscription)
    #expect(subscription.expiresDate == ServiceScene.start + 60)
    #expect(!subscription.autoRenewal)
  }

  @Test("without a transaction, or of a product that does not renew, are noted only")
  func noted() async throws {
    let scene = try await NotificationScene()
    try await scene.service.receive(signedPayload: try scene.signed(.test, nil))
    let purchase = try scene.scene.appStore.buy("reader.lifetime")
    var transaction = scene.transaction(purchase, expires: ServiceScene.start)
    transaction.type = .nonConsumable
    transaction.expiresDate = nil
    try await scene.service.receive(
      signedPayload: try scene.signed(.oneTimeCharge, transaction, uuid: "another"))
    let noted = try await scene.scene.store.read { records in
      (
        try await records.notifications.isSeen(
          notificationKey: "v2:002e14d5-51f5-4503-b5a8-c3a1af68eb20"),
        try await records.notifications.isSeen(notificationKey: "v2:another"),
        try await records.notifications.isSeen(notificationKey: "v2:nothing")
      )
    }
    #expect(noted == (true, true, false))
  }

  @Test("of an unknown product are refused, so that Apple sends them again")
  func unknownProduct() async throws {
    let scene = try await NotificationScene(products: ProductMap([:]))
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let token = try scene.signed(
      .subscribed, scene.transaction(purchase, expires: ServiceScene.start + 30 * 86_400))
    for _ in 1...2 {
      let failure = try await refusal { try await scene.service.receive(signedPayload: token) }
      #expect(failure == .subscription(.unknownProduct))
      #expect(failure?.answer.field == "productId")
    }
  }

  @Test("of an unknown product change nothing of a subscription that is known")
  func unknownProductOfKnownSubscription() async throws {
    let scene = try await NotificationScene()
    let purchase = try await scene.scene.bought()
    let id = purchase.originalTransactionID
    let membership = try await scene.scene.service.link("alice", to: id)
    scene.scene.appStore.clock.advance(by: .days(1))
    var transaction = scene.transaction(purchase, expires: ServiceScene.start + 400 * 86_400)
    transaction.transactionID = "5001"
    transaction.productID = "reader.new"
    var renewal = scene.renewal(purchase, willRenew: true)
    renewal.productID = "reader.new"
    let token = try scene.signed(.didChangeRenewalPref, transaction, renewal)
    for _ in 1...2 {
      #expect(
        try await refusal { try await scene.service.receive(signedPayload: token) }
          == .subscription(.unknownProduct))
    }
    #expect(try await scene.scene.membership(of: "alice") == membership)
    #expect(try await scene.scene.service.subscription(id).autoRenewal)
  }

  @Test("that a stranger signed, and of another app, are refused and not kept")
  func forged() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let transaction = scene.transaction(purchase, expires: ServiceScene.start + 30 * 86_400)
    let stranger = try TestAuthority()
    let forged = try stranger.sign(ServerNotification())
    let failure = try await refusal { try await scene.service.receive(signedPayload: forged) }
    guard case .notAuthentic = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(failure?.answer.status == 403)
    let other = try scene.signed(.subscribed, transaction) {
      $0.data?.bundleID = "com.example.other"
    }
    let otherApp = try await refusal { try await scene.service.receive(signedPayload: other) }
    #expect(otherApp == .otherApp(.bundleMismatch(found: "com.example.other")))
    #expect(otherApp?.answer.status == 422)
    #expect(otherApp?.answer.field == "bundleId")
    var strange = transaction
    strange.bundleID = "com.example.other"
    let nested = try scene.signed(.subscribed, strange)
    #expect(
      try await refusal { try await scene.service.receive(signedPayload: nested) }?.answer.status
        == 403)
    #expect(
      try await missing(scene, purchase) == .subscriptionNotFound)
  }

  @Test("by their body are told from version 1")
  func body() async throws {
    let scene = try await NotificationScene()
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let token = try scene.signed(
      .subscribed, scene.transaction(purchase, expires: ServiceScene.start + 30 * 86_400))
    try await scene.service.receive(body: Array("{\"signedPayload\":\"\(token)\"}".utf8))
    #expect(
      try await scene.scene.service.subscription(purchase.originalTransactionID).productID
        == ServiceScene.monthly)
  }

  private func missing(
    _ scene: NotificationScene, _ purchase: TestPurchase
  ) async throws -> SubscriptionFailure? {
    try await failure {
      _ = try await scene.scene.service.subscription(purchase.originalTransactionID)
    }
  }
}
