import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

/// Source: Google Play Billing, "Subscription lifecycle", on linkedPurchaseToken.
@Suite("The Play store's changes of plan")
struct PlayReplacementTests {
  private let scene: PlayScene
  private let play: PlayStoreSimulator
  private let old: TestPlayPurchase

  init() throws {
    scene = try PlayScene()
    play = scene.play
    old = try play.acknowledge(
      play.subscribe("reader_standard", PlayTerms(obfuscatedAccountID: "account-1")))
  }

  private func expectReplaced(by new: TestPlayPurchase) async throws {
    #expect(new.purchaseToken != old.purchaseToken)
    let answer = try await scene.subscription(new)
    #expect(answer["linkedPurchaseToken"]?.string == old.purchaseToken)
    #expect(
      answer["externalAccountIdentifiers"]?["obfuscatedExternalAccountId"]?.string == "account-1")
    #expect(answer["acknowledgementState"]?.string == "ACKNOWLEDGEMENT_STATE_PENDING")
    let before = try await scene.subscription(old)
    #expect(before["subscriptionState"]?.string == "SUBSCRIPTION_STATE_EXPIRED")
    #expect(before["canceledStateContext"]?.names == ["replacementCancellation"])
    #expect(new.notifications.map(\.subscriptionType) == [.purchased, .expired])
    #expect(new.notifications.map(\.purchaseToken) == [new.purchaseToken, old.purchaseToken])
  }

  @Test("an upgrade is a purchase of its own that ends the old one")
  func upgrade() async throws {
    scene.advance(.days(10))
    let new = try play.changePlan(of: old, to: "reader_premium")
    try await expectReplaced(by: new)
    let item = try await scene.subscription(new)["lineItems"]?.first
    #expect(item?["productId"]?.string == "reader_premium")
    #expect(item?["expiryTime"]?.string == "2023-12-24T22:13:20.000Z")
    #expect(item?["itemReplacement"]?["productId"]?.string == "reader_standard")
    #expect(item?["itemReplacement"]?["replacementMode"]?.string == "CHARGE_FULL_PRICE")
    #expect(throws: PlayStoreFailure.wrongState) { try play.renew(old) }
  }

  @Test("a change without proration keeps the paid time")
  func withoutProration() async throws {
    scene.advance(.days(10))
    let new = try play.changePlan(
      of: old, to: "reader_standard", basePlan: "yearly", mode: .withoutProration)
    try await expectReplaced(by: new)
    let item = try await scene.subscription(new)["lineItems"]?.first
    #expect(item?["offerDetails"]?["basePlanId"]?.string == "yearly")
    #expect(item?["expiryTime"]?.string == "2023-12-14T22:13:20.000Z")
  }

  @Test(
    "a deferred change: the new token has the old product first, and the other one is not owned yet"
  )
  func deferred() async throws {
    scene.advance(.days(10))
    let new = try play.changePlan(of: old, to: "reader_premium", mode: .deferred)
    try await expectReplaced(by: new)
    #expect(new.productID == "reader_standard")
    let before = try await scene.subscription(new)["lineItems"]?.elements ?? []
    #expect(before.map { $0["productId"]?.string } == ["reader_standard", "reader_premium"])
    #expect(before[0]["expiryTime"]?.string == "2023-12-14T22:13:20.000Z")
    #expect(before[0]["deferredItemReplacement"]?["productId"]?.string == "reader_premium")
    #expect(before[1]["expiryTime"] == nil)
    #expect(before[1]["latestSuccessfulOrderId"] == nil)
    #expect(before[1]["deferredItemReplacement"] == nil)
    #expect(try await scene.acknowledge(new, product: "reader_standard").status == .noContent)
    scene.advance(.days(20))
    let renewed = try play.renew(new)
    #expect(renewed.productID == "reader_premium")
    #expect(renewed.notifications.map(\.subscriptionType) == [.renewed])
    let after = try await scene.subscription(new)["lineItems"]?.elements ?? []
    let current = try #require(after.first { $0["productId"]?.string == "reader_premium" })
    #expect(current["expiryTime"]?.string == "2024-01-13T22:13:20.000Z")
    #expect(current["latestSuccessfulOrderId"]?.string == renewed.orderID)
    #expect(current["autoRenewingPlan"]?["autoRenewEnabled"] == .boolean(true))
    let ended = try #require(after.first { $0["productId"]?.string == "reader_standard" })
    #expect(ended["expiryTime"]?.string == "2023-12-14T22:13:20.000Z")
    #expect(ended["deferredItemReplacement"] == nil)
    #expect(ended["autoRenewingPlan"]?["autoRenewEnabled"] == nil)
  }

  @Test("from renewing to prepaid, and a top-up, are linked too")
  func prepaid() async throws {
    let prepaid = try play.changePlan(of: old, to: "reader_standard", basePlan: "prepaid-month")
    try await expectReplaced(by: prepaid)
    #expect(throws: PlayStoreFailure.notAcknowledged) { try play.topUp(prepaid) }
    try play.acknowledge(prepaid)
    scene.advance(.days(10))
    let more = try play.topUp(prepaid)
    let answer = try await scene.subscription(more)
    #expect(answer["linkedPurchaseToken"]?.string == prepaid.purchaseToken)
    // Both months: the time that was left is kept.
    #expect(
      answer["lineItems"]?.first?["expiryTime"]?.string == "2024-01-13T22:13:20.000Z")
    #expect(more.notifications.map(\.subscriptionType) == [.purchased, .expired])
  }

  @Test("bought again before the end of a canceled one is linked to it")
  func resubscribed() async throws {
    #expect(throws: PlayStoreFailure.wrongState) { try play.resubscribe(old) }
    try play.cancel(old)
    let new = try play.resubscribe(old)
    try await expectReplaced(by: new)
    #expect(new.expiry == old.expiry)
  }

  @Test("a change with a pending payment keeps the old purchase until it is paid")
  func pending() async throws {
    let new = try play.changePlan(
      of: old, to: "reader_premium", PlayTerms(payment: .pending))
    #expect(try await scene.state(new) == "SUBSCRIPTION_STATE_PENDING")
    #expect(try await scene.state(old) == "SUBSCRIPTION_STATE_ACTIVE")
    let paid = try play.completePayment(of: new)
    #expect(paid.notifications.map(\.subscriptionType) == [.purchased, .expired])
    #expect(try await scene.state(old) == "SUBSCRIPTION_STATE_EXPIRED")
  }

  @Test("a purchase that is not acknowledged can't be changed")
  func notAcknowledged() throws {
    let fresh = try play.subscribe("reader_standard", by: "other")
    #expect(throws: PlayStoreFailure.notAcknowledged) {
      try play.changePlan(of: fresh, to: "reader_premium")
    }
  }
}
