import Foundation
import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

/// Source: Google Play Developer API v3, purchases.subscriptionsv2.
@Suite("The Play store's answers about subscriptions")
struct PlaySubscriptionTests {
  @Test("a new subscription is active, pending acknowledgement, with one line item")
  func new() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe(
      "reader_standard",
      PlayTerms(offer: "welcome", obfuscatedAccountID: "account-1", obfuscatedProfileID: "p-1"))
    let answer = try await scene.subscription(purchase)
    #expect(
      answer.names == [
        "kind", "regionCode", "subscriptionState", "acknowledgementState", "lineItems", "etag",
        "startTime", "externalAccountIdentifiers",
      ])
    #expect(answer["kind"]?.string == "androidpublisher#subscriptionPurchaseV2")
    #expect(answer["subscriptionState"]?.string == "SUBSCRIPTION_STATE_ACTIVE")
    #expect(answer["acknowledgementState"]?.string == "ACKNOWLEDGEMENT_STATE_PENDING")
    #expect(answer["startTime"]?.string == "2023-11-14T22:13:20.000Z")
    #expect(answer["regionCode"]?.string == "US")
    let accounts = answer["externalAccountIdentifiers"]
    #expect(accounts?["obfuscatedExternalAccountId"]?.string == "account-1")
    #expect(accounts?["obfuscatedExternalProfileId"]?.string == "p-1")
    let item = try #require(answer["lineItems"]?.first)
    #expect(item["productId"]?.string == "reader_standard")
    #expect(item["expiryTime"]?.string == "2023-12-14T22:13:20.000Z")
    #expect(item["latestSuccessfulOrderId"]?.string == purchase.orderID)
    #expect(item["offerDetails"]?["basePlanId"]?.string == "monthly")
    #expect(item["offerDetails"]?["offerId"]?.string == "welcome")
    #expect(item["autoRenewingPlan"]?["autoRenewEnabled"] == .boolean(true))
    #expect(
      item["autoRenewingPlan"]?["recurringPrice"]
        == .object([
          "currencyCode": .string("USD"), "units": .string("4"), "nanos": .integer(990_000_000),
        ]))
    #expect(item["prepaidPlan"] == nil)
  }

  @Test("an order number is like Google's, and renewals append ..0, ..1")
  func orders() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.acknowledge(scene.play.subscribe("reader_standard"))
    #expect(purchase.orderID.wholeMatch(of: /GPA\.\d{4}-\d{4}-\d{4}-\d{5}/) != nil)
    for number in 0...1 {
      scene.advance(.days(30))
      #expect(try scene.play.renew(purchase).orderID == "\(purchase.orderID)..\(number)")
    }
    let item = try await scene.subscription(purchase)["lineItems"]?.first
    #expect(item?["latestSuccessfulOrderId"]?.string == "\(purchase.orderID)..1")
    #expect(item?["expiryTime"]?.string == "2024-02-12T22:13:20.000Z")
  }

  @Test(
    "times have as many decimals as are set, up to nine",
    arguments: [
      (0, "2023-11-14T22:13:20Z"), (3, "2023-11-14T22:13:20.123Z"),
      (6, "2023-11-14T22:13:20.123456Z"), (9, "2023-11-14T22:13:20.123456000Z"),
    ])
  func decimals(count: Int, text: String) async throws {
    let scene = try PlayScene { $0.fractionDigits = count }
    scene.advance(.microseconds(123_456))
    let purchase = try scene.play.subscribe("reader_standard")
    #expect(try await scene.subscription(purchase)["startTime"]?.string == text)
  }

  @Test("the etag changes with each change, and only then")
  func etag() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard")
    var seen: [String?] = []
    func note() async throws { seen.append(try await scene.subscription(purchase)["etag"]?.string) }
    try await note()
    try await note()
    #expect(seen[0] == seen[1])
    try scene.play.renew(purchase)
    try await note()
    try scene.play.cancel(purchase)
    try await note()
    _ = try await scene.acknowledge(purchase)
    try await note()
    #expect(Set(seen).count == 4)
  }

  @Test("a license tester's purchase is marked")
  func test() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard", PlayTerms(buyer: .licenseTester))
    #expect(try await scene.subscription(purchase)["testPurchase"] == .object([:]))
  }

  @Test("a prepaid plan has no renewal, and ends by itself")
  func prepaid() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard", basePlan: "prepaid-month")
    try scene.play.acknowledge(purchase)
    let item = try await scene.subscription(purchase)["lineItems"]?.first
    #expect(item?["prepaidPlan"]?["allowExtendAfterTime"] != nil)
    #expect(item?["autoRenewingPlan"] == nil)
    #expect(throws: PlayStoreFailure.otherPlan) { try scene.play.renew(purchase) }
    scene.advance(.days(30))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_EXPIRED")
    #expect(scene.types == [4, 13])
  }

  @Test("a pending payment begins the subscription once it is completed")
  func pending() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard", PlayTerms(payment: .pending))
    let pending = try await scene.subscription(purchase)
    #expect(pending["subscriptionState"]?.string == "SUBSCRIPTION_STATE_PENDING")
    #expect(pending["lineItems"]?.first?["expiryTime"] == nil)
    #expect(pending["startTime"] == nil)
    #expect(scene.types == [])
    scene.advance(.days(5))
    #expect(
      try await scene.state(purchase) == "SUBSCRIPTION_STATE_PENDING", "nothing to acknowledge")
    try scene.play.completePayment(of: purchase)
    let paid = try await scene.subscription(purchase)
    #expect(paid["subscriptionState"]?.string == "SUBSCRIPTION_STATE_ACTIVE")
    #expect(paid["startTime"]?.string == "2023-11-19T22:13:20.000Z")
    #expect(paid["lineItems"]?.first?["expiryTime"]?.string == "2023-12-19T22:13:20.000Z")
    #expect(scene.types == [4])
    #expect(throws: PlayStoreFailure.wrongState) { try scene.play.completePayment(of: purchase) }
  }

  @Test("a pending payment that is given up is its own state, with the notification 20")
  func pendingCanceled() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard", PlayTerms(payment: .pending))
    try scene.play.cancelPayment(of: purchase)
    #expect(
      try await scene.state(purchase) == "SUBSCRIPTION_STATE_PENDING_PURCHASE_CANCELED")
    #expect(scene.types == [20])
  }

  @Test("bought again in Google's own pages: no account, but the expired token until acknowledged")
  func outOfApp() async throws {
    let scene = try PlayScene()
    let old = try scene.play.subscribe(
      "reader_standard", PlayTerms(obfuscatedAccountID: "account-1"))
    #expect(throws: PlayStoreFailure.wrongState) { try scene.play.resubscribeOutOfApp(old) }
    try scene.play.acknowledge(old)
    try scene.play.cancel(old)
    scene.advance(.days(31))
    let new = try scene.play.resubscribeOutOfApp(old)
    let answer = try await scene.subscription(new)
    #expect(answer["externalAccountIdentifiers"] == nil)
    #expect(answer["linkedPurchaseToken"] == nil)
    let context = answer["outOfAppPurchaseContext"]
    #expect(context?["expiredPurchaseToken"]?.string == old.purchaseToken)
    #expect(
      context?["expiredExternalAccountIdentifiers"]?["obfuscatedExternalAccountId"]?.string
        == "account-1")
    let body = #"{"externalAccountIds":{"obfuscatedAccountId":"account-1"}}"#
    #expect(try await scene.acknowledge(new, body).status == .noContent)
    let after = try await scene.subscription(new)
    #expect(after["outOfAppPurchaseContext"] == nil)
    #expect(
      after["externalAccountIdentifiers"]?["obfuscatedExternalAccountId"]?.string == "account-1")
  }
}
