import Foundation
import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

/// Source: Google Play Developer API v3, purchases.productsv2 and purchases.products.
@Suite("The Play store's answers about one-time products")
struct PlayProductTests {
  @Test("a purchase has one line item, with its quantity and consumption")
  func new() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.buy(
      "reader_gems", quantity: 3, PlayTerms(obfuscatedAccountID: "account-1"))
    let answer = try await scene.product(purchase)
    #expect(
      answer.names == [
        "kind", "regionCode", "productLineItem", "purchaseStateContext", "orderId",
        "acknowledgementState", "purchaseCompletionTime", "obfuscatedExternalAccountId",
      ])
    #expect(answer["kind"]?.string == "androidpublisher#productPurchaseV2")
    #expect(answer["purchaseStateContext"]?["purchaseState"]?.string == "PURCHASED")
    #expect(answer["purchaseCompletionTime"]?.string == "2023-11-14T22:13:20.000Z")
    #expect(answer["orderId"]?.string == purchase.orderID)
    #expect(answer["acknowledgementState"]?.string == "ACKNOWLEDGEMENT_STATE_PENDING")
    #expect(answer["obfuscatedExternalAccountId"]?.string == "account-1")
    let item = answer["productLineItem"]?.first
    #expect(item?["productId"]?.string == "reader_gems")
    #expect(
      item?["productOfferDetails"]
        == .object([
          "purchaseOptionId": .string("buy"), "quantity": .integer(3),
          "refundableQuantity": .integer(3),
          "consumptionState": .string("CONSUMPTION_STATE_YET_TO_BE_CONSUMED"),
        ]))
    let notification = try #require(scene.play.notifications.last)
    #expect(notification.oneTimeProductType == .purchased)
    #expect(notification.purchaseToken == purchase.purchaseToken)
  }

  @Test("consumed: the state is CONSUMED, and that acknowledges; the customer may buy again")
  func consumed() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.buy("reader_gems")
    #expect(try await scene.change(purchase, "consume").status == .noContent)
    let answer = try await scene.product(purchase)
    #expect(answer["acknowledgementState"]?.string == "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED")
    #expect(
      answer["productLineItem"]?.first?["productOfferDetails"]?["consumptionState"]?.string
        == "CONSUMPTION_STATE_CONSUMED")
    #expect(try scene.play.buy("reader_gems").purchaseToken != purchase.purchaseToken)
  }

  @Test("a product that is ordered before its release is paid and counts from then on")
  func preorder() async throws {
    let scene = try PlayScene()
    var terms = PlayTerms()
    terms.purchaseOption = .preorder(release: scene.play.now + 10 * 86_400)
    let purchase = try scene.play.buy("reader_gems", terms)
    let before = try await scene.product(purchase)
    #expect(before["purchaseStateContext"]?["purchaseState"]?.string == "PENDING")
    #expect(
      before["productLineItem"]?.first?["productOfferDetails"]?["preorderOfferDetails"]
        == .object(["preorderReleaseTime": .string("2023-11-24T22:13:20.000Z")]))
    #expect(scene.play.notifications.isEmpty)
    scene.advance(.days(11))
    let after = try await scene.product(purchase)
    #expect(after["purchaseStateContext"]?["purchaseState"]?.string == "PURCHASED")
    #expect(after["purchaseCompletionTime"]?.string == "2023-11-24T22:13:20.000Z")
    #expect(scene.play.notifications.last?.oneTimeProductType == .purchased)
    // Three days after the release Google takes back what nobody acknowledged.
    scene.advance(.days(2))
    #expect(
      try await scene.product(purchase)["purchaseStateContext"]?["purchaseState"]?.string
        == "CANCELLED")
  }

  @Test("a product that is rented says so")
  func rental() async throws {
    let scene = try PlayScene()
    var terms = PlayTerms()
    terms.purchaseOption = .rent
    let purchase = try scene.play.buy("reader_gems", terms)
    let details = try await scene.product(purchase)["productLineItem"]?.first?[
      "productOfferDetails"]
    #expect(details?["purchaseOptionId"]?.string == "rent")
    #expect(details?["rentOfferDetails"] == .object([:]))
  }

  @Test("pending: completed later, or given up with the notification 2")
  func pending() async throws {
    let scene = try PlayScene()
    let terms = PlayTerms(payment: .pending)
    let paid = try scene.play.buy("reader_gems", terms)
    let given = try scene.play.buy("reader_gems", by: "other", terms)
    let before = try await scene.product(paid)
    #expect(before["purchaseStateContext"]?["purchaseState"]?.string == "PENDING")
    #expect(before["purchaseCompletionTime"] == nil)
    #expect(scene.play.notifications.isEmpty)
    scene.advance(.days(4))
    try scene.play.completePayment(of: paid)
    try scene.play.cancelPayment(of: given)
    #expect(
      try await scene.product(paid)["purchaseCompletionTime"]?.string
        == "2023-11-18T22:13:20.000Z")
    #expect(
      try await scene.product(given)["purchaseStateContext"]?["purchaseState"]?.string
        == "CANCELLED")
    #expect(scene.play.notifications.map(\.oneTimeProductType) == [.purchased, .canceled])
  }

  @Test("a license tester's purchase is marked")
  func test() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.buy("reader_gems", PlayTerms(buyer: .licenseTester))
    let answer = try await scene.product(purchase)
    #expect(answer["testPurchaseContext"] == .object(["fopType": .string("TEST")]))
  }

  @Test("the older form has numbers, and wants the product in the path")
  func older() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.buy("reader_gems", PlayTerms(buyer: .licenseTester))
    let pending = try scene.play.buy("reader_gems", PlayTerms(payment: .pending))
    let refunded = try scene.play.buy("reader_gems", quantity: 2)
    try scene.play.revoke(refunded)
    func older(_ purchase: TestPlayPurchase) async throws -> JSONValue {
      try await scene.ask("products/reader_gems/tokens/\(purchase.purchaseToken)")
    }
    let answer = try await older(purchase)
    #expect(answer["kind"]?.string == "androidpublisher#productPurchase")
    #expect(answer["purchaseState"] == .integer(0))
    #expect(answer["purchaseType"] == .integer(0))
    #expect(answer["acknowledgementState"] == .integer(0))
    #expect(answer["consumptionState"] == .integer(0))
    #expect(answer["purchaseTimeMillis"] == .string("1700000000000"))
    #expect(answer["quantity"] == nil)
    #expect(try await older(pending)["purchaseState"] == .integer(2))
    #expect(try await older(refunded)["purchaseState"] == .integer(1))
    #expect(try await older(refunded)["quantity"] == .integer(2))
    let response = try await scene.send(
      .get, "products/reader_lifetime/tokens/\(purchase.purchaseToken)")
    #expect(response.failure.reason == "purchaseTokenDoesNotMatchProductId")
  }

  @Test("a token of a subscription is no product, and the other way round")
  func otherKind() async throws {
    let scene = try PlayScene()
    let product = try scene.play.buy("reader_gems")
    let subscription = try scene.play.subscribe("reader_standard")
    for path in [
      "subscriptionsv2/tokens/\(product.purchaseToken)",
      "productsv2/tokens/\(subscription.purchaseToken)",
    ] {
      let response = try await scene.send(.get, path)
      #expect(response.failure == Failure(400, "INVALID_ARGUMENT", "invalid"))
    }
  }
}
