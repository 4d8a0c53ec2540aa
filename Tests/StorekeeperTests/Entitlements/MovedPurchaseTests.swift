import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Purchases that Apple moved, and what later evidence leaves out", .onEveryStore)
struct MovedPurchaseTests {
  /// A transaction of the subscription as Apple signs it, a day later for each identifier.
  private func signed(
    _ scene: DrawScene, original: String, previous: String? = nil, day: Double = 0,
    change: (inout Transaction) -> Void = { _ in }
  ) throws -> String {
    var transaction = Transaction()
    transaction.transactionID = "2000000900000001"
    transaction.originalTransactionID = original
    transaction.previousOriginalTransactionID = previous
    transaction.bundleID = DrawScene.draw
    transaction.productID = DrawScene.id("full.monthly")
    transaction.type = .autoRenewableSubscription
    transaction.environment = .production
    transaction.purchaseDate = ServiceScene.start
    transaction.expiresDate = ServiceScene.start + 30 * 86_400
    transaction.signedDate = ServiceScene.start + day * 86_400
    change(&transaction)
    return try scene.appStore.signedDataAuthority.sign(transaction)
  }

  @Test("another user can't take a purchase under its new identifier")
  func takeover() async throws {
    let scene = try await DrawScene()
    try await scene.send(signed(scene, original: "2000000900000001"))
    scene.appStore.clock.advance(by: .days(1))
    for previous in ["2000000900000001", nil] {
      let moved = try signed(scene, original: "2000000900000002", previous: previous, day: 1)
      #expect(
        try await entitlementFailure { try await scene.send(moved, by: "u-2") }
          == .linkedToOtherUser)
    }
    #expect(try await scene.entitlements().isSubscriber)
    #expect(try await !scene.entitlements(of: "u-2").isSubscriber)
    try await scene.send(
      signed(scene, original: "2000000900000002", previous: "2000000900000001", day: 1))
    #expect(try await scene.entitlements().isSubscriber)
  }

  @Test("a notification about the new identifier keeps the owner")
  func notification() async throws {
    let scene = try await DrawScene()
    try await scene.send(signed(scene, original: "2000000900000001"))
    scene.appStore.clock.advance(by: .days(1))
    var data = NotificationData()
    data.environment = .production
    data.bundleID = DrawScene.draw
    data.appAppleID = scene.appStore.appAppleID
    data.signedTransactionInfo = try signed(
      scene, original: "2000000900000002", previous: "2000000900000001", day: 1)
    var notification = ServerNotification()
    notification.notificationType = .didRenew
    notification.notificationUUID = UUID().uuidString
    notification.version = "2.0"
    notification.signedDate = scene.appStore.now
    notification.data = data
    try await scene.notifications.receive(
      signedPayload: scene.appStore.signedDataAuthority.sign(notification))
    let answer = try await scene.entitlements()
    #expect(answer.isSubscriber)
    #expect(answer.subscription?.subscription.originalTransactionID == "2000000900000002")
  }

  @Test("purchases beside a moved one go to nobody")
  func beside() async throws {
    let scene = try await DrawScene()
    try await scene.send(signed(scene, original: "2000000900000001"))
    scene.appStore.clock.advance(by: .days(1))
    let other = try scene.appStore.buy(DrawScene.id("frames"), by: "stranger")
    try await scene.send(
      signed(scene, original: "2000000900000002", previous: "2000000900000001", day: 1),
      try other.signedTransactionInfo, by: nil)
    #expect(try await scene.association(of: other) == nil)
    #expect(try await scene.entitlements().isSubscriber)
    try await scene.send(try other.signedTransactionInfo, by: "u-2")
    #expect(try await scene.allowed(of: "u-2") == DrawScene.ids("frames"))
  }

  @Test("a receipt, which names no type, leaves the type that Apple signed")
  func types() async throws {
    let scene = try await DrawScene()
    let pass = try scene.appStore.buy(DrawScene.id("coins"), by: "u-1")
    var unlisted = Transaction()
    unlisted.productID = "com.example.draw.stickers"
    try await scene.send(
      signed(scene, original: pass.originalTransactionID) { transaction in
        transaction.transactionID = pass.transactionID
        transaction.productID = unlisted.productID
        transaction.type = .consumable
        transaction.expiresDate = nil
      })
    #expect(try await scene.allowed().isEmpty)
    scene.appStore.clock.advance(by: .days(1))
    try await scene.sendReceipt()
    let stored = try await scene.store.read { records in
      try await records.purchases.transactions(
        of: [pass.originalTransactionID], environment: .production)
    }
    #expect(stored.map(\.productType) == [.consumable])
    #expect(try await scene.allowed().isEmpty)
  }
}
