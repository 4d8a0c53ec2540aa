import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

/// Source: Google Play Developer API v3, acknowledge and consume.
@Suite("The Play store's acknowledgements")
struct PlayAcknowledgementTests {
  @Test("the answer is empty, and repeating is harmless")
  func repeated() async throws {
    let scene = try PlayScene()
    let subscription = try scene.play.subscribe("reader_standard")
    let product = try scene.play.buy("reader_gems")
    for _ in 1...2 {
      for response in [
        try await scene.acknowledge(subscription, #"{"developerPayload":"x"}"#),
        try await scene.change(product, "acknowledge"),
      ] {
        #expect(response.status == .noContent)
        #expect(response.body.isEmpty)
      }
    }
    #expect(
      try await scene.subscription(subscription)["acknowledgementState"]?.string
        == "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED")
    #expect(
      try await scene.product(product)["acknowledgementState"]?.string
        == "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED")
    for _ in 1...2 {
      #expect(try await scene.change(product, "consume").status == .noContent)
    }
  }

  @Test("the answer may be 200 with an empty object")
  func emptyObject() async throws {
    let scene = try PlayScene { $0.emptyAnswer = .emptyObject }
    let response = try await scene.acknowledge(scene.play.subscribe("reader_standard"))
    #expect(response.status == .ok)
    #expect(response.body == Array("{}".utf8))
  }

  @Test("the body may be missing, and has to be an object")
  func body() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard")
    #expect(try await scene.acknowledge(purchase, "[").failure.reason == "parseError")
    #expect(try await scene.acknowledge(purchase, "").status == .noContent)
  }

  @Test("without it a subscription is refunded and revoked after three days")
  func subscription() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard")
    scene.advance(.days(3) - .seconds(1))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    scene.advance(.seconds(1))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_EXPIRED")
    #expect(scene.types == [4, 12, nil])
    let voided = try await scene.ask("voidedpurchases?type=1")["voidedPurchases"]?.first
    #expect(voided?["orderId"]?.string == purchase.orderID)
    #expect(voided?["voidedReason"] == .integer(8))
    #expect(voided?["voidedSource"] == .integer(2))
    #expect(try await scene.acknowledge(purchase).failure.reason == "invalidPurchaseState")
  }

  @Test("without it a product is refunded and taken back after three days")
  func product() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.buy("reader_gems")
    scene.advance(.days(3))
    #expect(
      try await scene.product(purchase)["purchaseStateContext"]?["purchaseState"]?.string
        == "CANCELLED")
    let notification = try #require(scene.play.notifications.last)
    #expect(notification.kind == "voidedPurchaseNotification")
    #expect(notification.orderID == purchase.orderID)
    #expect(try await scene.change(purchase, "consume").failure.reason == "invalidPurchaseState")
  }

  @Test("license testers have three minutes")
  func tester() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard", PlayTerms(buyer: .licenseTester))
    scene.advance(.seconds(179))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    scene.advance(.seconds(1))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_EXPIRED")
  }

  @Test("a prepaid plan of three days has a day and a half")
  func shortPlan() async throws {
    let product = PlayProduct(
      "pass", .subscription([PlayBasePlan("days", .prepaid, period: .days(3))]))
    let scene = try PlayScene(products: [product])
    let purchase = try scene.play.subscribe("pass")
    scene.advance(.seconds(36 * 3600 - 1))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    scene.advance(.seconds(1))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_EXPIRED")
    #expect(scene.types == [4, 12, nil])
  }

  @Test("one that is acknowledged in time stays")
  func inTime() async throws {
    let scene = try PlayScene()
    let subscription = try scene.play.subscribe("reader_standard")
    let product = try scene.play.buy("reader_gems")
    _ = try await scene.acknowledge(subscription)
    _ = try await scene.change(product, "acknowledge")
    scene.advance(.days(10))
    #expect(try await scene.state(subscription) == "SUBSCRIPTION_STATE_ACTIVE")
    #expect(
      try await scene.product(product)["purchaseStateContext"]?["purchaseState"]?.string
        == "PURCHASED")
  }

  @Test("a pending or canceled purchase, and another product, are refused")
  func refused() async throws {
    let scene = try PlayScene()
    let pending = try scene.play.subscribe("reader_standard", PlayTerms(payment: .pending))
    #expect(
      try await scene.acknowledge(pending).failure
        == Failure(400, "INVALID_ARGUMENT", "invalidPurchaseState"))
    let product = try scene.play.buy("reader_gems", PlayTerms(payment: .pending))
    #expect(
      try await scene.change(product, "acknowledge").failure.reason == "invalidPurchaseState")
    let other = try scene.play.subscribe("reader_premium")
    #expect(
      try await scene.acknowledge(other, product: "reader_standard").failure.reason
        == "purchaseTokenDoesNotMatchProductId")
    #expect(
      try await scene.change(product, "consume", product: "reader_lifetime").failure.reason
        == "purchaseTokenDoesNotMatchProductId")
  }
}
