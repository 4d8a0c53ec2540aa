import Foundation
import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

/// Source: Google Play Billing, "Subscription lifecycle", and the list of notification types.
@Suite("The Play store's subscriptions through their life")
struct PlayLifeTests {
  private let scene: PlayScene
  private let play: PlayStoreSimulator
  private let purchase: TestPlayPurchase

  init() throws {
    scene = try PlayScene()
    play = scene.play
    purchase = try play.acknowledge(play.subscribe("reader_standard"))
  }

  /// The notifications after the purchase.
  private var types: [Int?] { Array(scene.types.dropFirst()) }

  private func expiry() async throws -> String? {
    try await scene.subscription(purchase)["lineItems"]?.first?["expiryTime"]?.string
  }

  private func renews() async throws -> Bool {
    let item = try await scene.subscription(purchase)["lineItems"]?.first
    return item?["autoRenewingPlan"]?["autoRenewEnabled"] == .boolean(true)
  }

  @Test("renewed: the next period begins at the end of the last one")
  func renewed() async throws {
    scene.advance(.days(30) + .seconds(60))
    // While Google charges, the subscription stays active.
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    try play.renew(purchase)
    #expect(types == [2])
    #expect(try await expiry() == "2024-01-13T22:13:20.000Z")
  }

  @Test("canceled: until the end it is CANCELED, then EXPIRED")
  func canceled() async throws {
    try play.cancel(purchase)
    #expect(types == [3])
    let answer = try await scene.subscription(purchase)
    #expect(answer["subscriptionState"]?.string == "SUBSCRIPTION_STATE_CANCELED")
    #expect(
      answer["canceledStateContext"]?["userInitiatedCancellation"]?["cancelTime"]?.string
        == "2023-11-14T22:13:20.000Z")
    #expect(try await !renews())
    scene.advance(.days(30) - .seconds(1))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_CANCELED")
    scene.advance(.seconds(1))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_EXPIRED")
    #expect(types == [3, 13])
    #expect(try await scene.subscription(purchase)["canceledStateContext"] != nil)
    #expect(throws: PlayStoreFailure.wrongState) { try play.renew(purchase) }
  }

  @Test(
    "a cancellation says who did it",
    arguments: [
      (PlayCancellation.user, "userInitiatedCancellation"),
      (.system, "systemInitiatedCancellation"), (.developer, "developerInitiatedCancellation"),
      (.replacement, "replacementCancellation"),
    ])
  func cause(cause: PlayCancellation, name: String) async throws {
    try play.cancel(purchase, by: cause)
    #expect(try await scene.subscription(purchase)["canceledStateContext"]?.names == [name])
  }

  @Test("restarted: renewal is on again, under the same token")
  func restored() async throws {
    try play.cancel(purchase)
    try play.restore(purchase)
    #expect(types == [3, 7])
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    #expect(try await renews())
    #expect(try await scene.subscription(purchase)["canceledStateContext"] == nil)
  }

  @Test("grace: access goes on, then the account is on hold, then Google cancels")
  func grace() async throws {
    scene.advance(.days(30))
    try play.failRenewal(purchase, gracePeriod: .days(7), accountHold: .days(20))
    #expect(types == [6])
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_IN_GRACE_PERIOD")
    #expect(try await expiry() == "2023-12-21T22:13:20.000Z")
    #expect(try await renews())
    scene.advance(.days(7))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ON_HOLD")
    #expect(types == [6, 5])
    #expect(try await expiry() == "2023-12-21T22:13:20.000Z")
    scene.advance(.days(20))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_EXPIRED")
    #expect(types == [6, 5, 3, 13])
    #expect(
      try await scene.subscription(purchase)["canceledStateContext"]?.names
        == ["systemInitiatedCancellation"])
  }

  @Test("a payment in the grace period renews by the old date")
  func graceRecovered() async throws {
    scene.advance(.days(30))
    try play.failRenewal(purchase, gracePeriod: .days(7))
    scene.advance(.days(3))
    try play.recover(purchase)
    #expect(types == [6, 2])
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    #expect(try await expiry() == "2024-01-13T22:13:20.000Z")
  }

  @Test("on hold: the expiry is past; a payment recovers it from now on")
  func hold() async throws {
    scene.advance(.days(30))
    try play.failRenewal(purchase)
    #expect(types == [5])
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ON_HOLD")
    #expect(try await expiry() == "2023-12-14T22:13:20.000Z")
    scene.advance(.days(2))
    try play.recover(purchase)
    #expect(types == [5, 1])
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    #expect(try await expiry() == "2024-01-15T22:13:20.000Z")
  }

  @Test("canceled on hold: it ends at once")
  func canceledOnHold() async throws {
    scene.advance(.days(30))
    try play.failRenewal(purchase)
    scene.advance(.days(1))
    try play.cancel(purchase)
    #expect(types == [5, 3, 13])
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_EXPIRED")
  }

  @Test("paused: planned now, in effect at the end of the period, over by itself")
  func paused() async throws {
    try play.pause(purchase, for: .days(14))
    #expect(types == [11])
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    scene.advance(.days(30))
    let answer = try await scene.subscription(purchase)
    #expect(answer["subscriptionState"]?.string == "SUBSCRIPTION_STATE_PAUSED")
    #expect(
      answer["pausedStateContext"]?["autoResumeTime"]?.string == "2023-12-28T22:13:20.000Z")
    #expect(try await renews())
    #expect(types == [11, 10])
    scene.advance(.days(14))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    #expect(types == [11, 10, 1])
    #expect(try await expiry() == "2024-01-27T22:13:20.000Z")
    #expect(try await scene.subscription(purchase)["pausedStateContext"] == nil)
  }

  @Test("resumed early: the next period begins now")
  func resumed() async throws {
    try play.pause(purchase, for: .days(14))
    scene.advance(.days(31))
    try play.resume(purchase)
    #expect(types == [11, 10, 1])
    #expect(try await expiry() == "2024-01-14T22:13:20.000Z")
  }

  @Test("a pause that is given up, and a payment that fails after one")
  func pauseChanged() async throws {
    try play.pause(purchase, for: .days(14))
    try play.pause(purchase, for: nil)
    scene.advance(.days(30))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    #expect(types == [11, 11])
    try play.renew(purchase)
    try play.pause(purchase, for: .days(14))
    scene.advance(.days(30))
    try play.failRenewal(purchase, gracePeriod: .days(7))
    #expect(types == [11, 11, 2, 11, 10, 5])
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ON_HOLD")
  }

  @Test("deferred: the expiry moves, without a charge")
  func deferred() async throws {
    try play.deferPayment(of: purchase, by: .days(10))
    #expect(types == [9])
    #expect(try await expiry() == "2023-12-24T22:13:20.000Z")
  }

  @Test("a higher price waits for consent, and is charged at the renewal")
  func price() async throws {
    try play.changePrice(of: purchase, to: PlayPrice(units: 6))
    #expect(types == [19])
    func plan() async throws -> JSONValue? {
      try await scene.subscription(purchase)["lineItems"]?.first?["autoRenewingPlan"]
    }
    let details = try await plan()?["priceChangeDetails"]
    #expect(details?["priceChangeMode"]?.string == "PRICE_INCREASE")
    #expect(details?["priceChangeState"]?.string == "OUTSTANDING")
    #expect(details?["newPrice"]?["units"]?.string == "6")
    #expect(
      details?["expectedNewPriceChargeTime"]?.string == "2023-12-14T22:13:20.000Z")
    try play.confirmPrice(of: purchase)
    #expect(types == [19, 8, 19])
    #expect(try await plan()?["priceChangeDetails"]?["priceChangeState"]?.string == "CONFIRMED")
    #expect(try await plan()?["recurringPrice"]?["units"]?.string == "4")
    scene.advance(.days(30))
    try play.renew(purchase)
    #expect(try await plan()?["recurringPrice"]?["units"]?.string == "6")
    #expect(try await plan()?["priceChangeDetails"]?["priceChangeState"]?.string == "APPLIED")
  }

  @Test("the price after an offer waits for consent, and is charged at the renewal")
  func priceStep() async throws {
    try play.stepUpPrice(of: purchase, to: PlayPrice(units: 9))
    #expect(types == [22])
    func plan() async throws -> JSONValue? {
      try await scene.subscription(purchase)["lineItems"]?.first?["autoRenewingPlan"]
    }
    let details = try await plan()?["priceStepUpConsentDetails"]
    #expect(details?["state"]?.string == "PENDING")
    #expect(details?["newPrice"]?["units"]?.string == "9")
    #expect(details?["consentDeadlineTime"]?.string == "2023-12-14T22:13:20.000Z")
    try play.consentToPriceStep(of: purchase)
    #expect(types == [22, 22])
    #expect(try await plan()?["priceStepUpConsentDetails"]?["state"]?.string == "CONFIRMED")
    #expect(throws: PlayStoreFailure.wrongState) { try play.consentToPriceStep(of: purchase) }
    scene.advance(.days(30))
    try play.renew(purchase)
    #expect(try await plan()?["recurringPrice"]?["units"]?.string == "9")
    #expect(try await plan()?["priceStepUpConsentDetails"]?["state"]?.string == "COMPLETED")
  }

  @Test("without consent to the price after an offer Google cancels at the end of the period")
  func priceStepRefused() async throws {
    try play.stepUpPrice(of: purchase, to: PlayPrice(units: 9))
    scene.advance(.days(30))
    let answer = try await scene.subscription(purchase)
    #expect(answer["subscriptionState"]?.string == "SUBSCRIPTION_STATE_EXPIRED")
    #expect(
      answer["canceledStateContext"] == .object(["systemInitiatedCancellation": .object([:])]))
    #expect(types == [22, 3, 13])
  }

  @Test("without consent to a higher price Google cancels instead of renewing")
  func priceRefused() async throws {
    try play.changePrice(of: purchase, to: PlayPrice(units: 6))
    scene.advance(.days(30))
    try play.renew(purchase)
    #expect(types == [19, 3, 13])
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_EXPIRED")
  }

  @Test("a lower price needs no consent")
  func lowerPrice() async throws {
    try play.changePrice(of: purchase, to: PlayPrice(units: 1))
    scene.advance(.days(30))
    try play.renew(purchase)
    #expect(types == [19, 2])
  }

  @Test("revoked: it ends now, and its order is voided")
  func revoked() async throws {
    try play.revoke(purchase)
    #expect(types == [12, nil])
    #expect(play.notifications.last?.kind == "voidedPurchaseNotification")
    let answer = try await scene.subscription(purchase)
    #expect(answer["subscriptionState"]?.string == "SUBSCRIPTION_STATE_EXPIRED")
    #expect(try await expiry() == "2023-11-14T22:13:20.000Z")
    #expect(throws: PlayStoreFailure.alreadyRefunded) { try play.revoke(purchase) }
  }

  @Test("expired by order")
  func expired() async throws {
    try play.expire(purchase)
    #expect(types == [13])
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_EXPIRED")
  }

  @Test(
    "any type can be sent, also one that Google does not have yet", arguments: [17, 18, 22, 99])
  func others(number: Int) throws {
    try play.notify(PlaySubscriptionNotificationType(rawValue: number), about: purchase)
    #expect(types == [number])
  }

  @Test("each call returns the notifications that it caused")
  func returned() throws {
    #expect(try play.renew(purchase).notifications.map(\.subscriptionType) == [.renewed])
    #expect(try play.purchase(purchase.purchaseToken).notifications.isEmpty)
  }

  @Test("what nobody can do is refused, and changes nothing")
  func refused() async throws {
    let before = try await scene.subscription(purchase)
    #expect(throws: PlayStoreFailure.wrongState) { try play.recover(purchase) }
    #expect(throws: PlayStoreFailure.wrongState) { try play.resume(purchase) }
    #expect(throws: PlayStoreFailure.wrongState) { try play.restore(purchase) }
    #expect(throws: PlayStoreFailure.wrongState) { try play.confirmPrice(of: purchase) }
    #expect(throws: PlayStoreFailure.alreadyOwned) { try play.subscribe("reader_standard") }
    #expect(throws: PlayStoreFailure.otherKind) { try play.buy("reader_standard") }
    #expect(throws: PlayStoreFailure.otherKind) { try play.subscribe("reader_gems") }
    #expect(throws: PlayStoreFailure.unknownProduct("x")) { try play.subscribe("x") }
    #expect(throws: PlayStoreFailure.unknownBasePlan("weekly")) {
      try play.subscribe("reader_premium", basePlan: "weekly")
    }
    #expect(throws: PlayStoreFailure.unknownOrder) { try play.refund(purchase, order: "GPA.0") }
    #expect(throws: PlayStoreFailure.unknownPurchase) { try play.purchase("x") }
    #expect(try await scene.subscription(purchase) == before)
    #expect(types.isEmpty)
  }
}
