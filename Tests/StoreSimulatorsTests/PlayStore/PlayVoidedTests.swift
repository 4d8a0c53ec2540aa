import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

/// Source: Google Play Developer API v3, purchases.voidedpurchases.
@Suite("The Play store's list of voided purchases")
struct PlayVoidedTests {
  private let scene: PlayScene
  private var play: PlayStoreSimulator { scene.play }

  init() throws { scene = try PlayScene() }

  /// The start of the simulator in milliseconds.
  private let start = 1_700_000_000_000

  private func orders(_ query: String) async throws -> [String?] {
    try await scene.ask("voidedpurchases\(query)")["voidedPurchases"]?.elements
      .map { $0["orderId"]?.string } ?? []
  }

  @Test("an entry has texts for times, and numbers for source and reason")
  func entry() async throws {
    let purchase = try play.buy("reader_gems")
    scene.advance(.seconds(60))
    try play.refund(purchase, source: .user, reason: .chargeback)
    let entry = try await scene.ask("voidedpurchases")["voidedPurchases"]?.first
    #expect(
      entry
        == .object([
          "kind": .string("androidpublisher#voidedPurchase"),
          "purchaseToken": .string(purchase.purchaseToken), "orderId": .string(purchase.orderID),
          "purchaseTimeMillis": .string("\(start)"),
          "voidedTimeMillis": .string("\(start + 60_000)"), "voidedSource": .integer(0),
          "voidedReason": .integer(7),
        ]))
  }

  @Test("without anything voided the answer is an empty object")
  func empty() async throws {
    #expect(try await scene.ask("voidedpurchases?type=1") == .object([:]))
  }

  @Test("subscriptions are listed with type 1 only, and products with both")
  func type() async throws {
    let product = try play.revoke(play.buy("reader_gems"))
    let subscription = try play.revoke(play.subscribe("reader_standard"))
    #expect(try await orders("") == [product.orderID])
    #expect(try await orders("?type=0") == [product.orderID])
    #expect(try await orders("?type=1") == [product.orderID, subscription.orderID])
  }

  @Test("each order of a subscription is an entry of its own, under one token")
  func renewals() async throws {
    let purchase = try play.acknowledge(play.subscribe("reader_standard"))
    let renewal = try play.renew(purchase)
    try play.refund(purchase, order: renewal.orderID)
    try play.refund(purchase, order: purchase.orderID)
    #expect(try await orders("?type=1") == [renewal.orderID, purchase.orderID])
    #expect(
      scene.types == [4, 2, 12, nil, nil], "the second refund has nothing left to revoke")
  }

  @Test("a refund that leaves access is not listed, and nobody is told")
  func kept() async throws {
    let subscription = try play.acknowledge(play.subscribe("reader_standard"))
    let product = try play.acknowledge(play.buy("reader_gems"))
    let told = play.notifications.count
    try play.refund(subscription, access: .kept)
    try play.refund(product, access: .kept)
    #expect(try await orders("?type=1") == [])
    #expect(try await scene.state(subscription) == "SUBSCRIPTION_STATE_ACTIVE")
    #expect(play.notifications.count == told)
    #expect(throws: PlayStoreFailure.alreadyRefunded) { try play.refund(product) }
  }

  @Test("a refund of some items is listed on request, with their number")
  func parts() async throws {
    let purchase = try play.buy("reader_gems", quantity: 5)
    try play.refund(purchase, quantity: 2)
    #expect(try await orders("") == [])
    #expect(try await orders("?includeQuantityBasedPartialRefund=false") == [])
    let path = "voidedpurchases?includeQuantityBasedPartialRefund=true"
    let entry = try await scene.ask(path)["voidedPurchases"]?.first
    #expect(entry?["voidedQuantity"] == .integer(2))
    let answer = try await scene.product(purchase)
    #expect(answer["purchaseStateContext"]?["purchaseState"]?.string == "PURCHASED")
    let offer = answer["productLineItem"]?.first?["productOfferDetails"]
    #expect(offer?["quantity"] == .integer(5))
    #expect(offer?["refundableQuantity"] == .integer(3))
    for count in [0, 3, 4] {
      #expect(throws: PlayStoreFailure.quantity) { try play.refund(purchase, quantity: count) }
    }
  }

  @Test("the list goes back 30 days, and a request may not")
  func window() async throws {
    try play.revoke(play.buy("reader_gems"))
    scene.advance(.days(30))
    #expect(try await orders("").count == 1)
    scene.advance(.seconds(1))
    #expect(try await orders("").isEmpty)
    let now = start + 30 * 86_400_000 + 1000
    for (query, parameter) in [
      ("?startTime=\(now - 30 * 86_400_000 - 1)", "startTime"), ("?endTime=\(now + 1)", "endTime"),
      ("?startTime=soon", "startTime"), ("?startTime=\(now)&endTime=\(now - 1)", "startTime"),
      ("?type=2", "type"), ("?maxResults=0", "maxResults"), ("?maxResults=1001", "maxResults"),
      ("?token=guess", "token"),
    ] {
      let response = try await scene.send(.get, "voidedpurchases\(query)")
      #expect(response.failure == Failure(400, "INVALID_ARGUMENT", "invalid"))
      let location = try JSONValue(parsing: response.body)["error"]?["errors"]?.first?["location"]
      #expect(location?.string == parameter)
    }
  }

  @Test("a window holds what was voided in it")
  func part() async throws {
    var all: [String] = []
    for _ in 1...3 {
      all.append(try play.revoke(play.buy("reader_gems")).orderID)
      scene.advance(.seconds(10))
    }
    #expect(try await orders("?startTime=\(start + 10_000)") == Array(all[1...]))
    #expect(try await orders("?endTime=\(start + 10_000)") == Array(all[...1]))
    #expect(
      try await orders("?startTime=\(start + 1)&endTime=\(start + 19_999)") == [all[1]])
  }

  @Test("pages follow each other by token, and the last has none")
  func pages() async throws {
    var all: [String?] = []
    for _ in 1...5 { all.append(try play.revoke(play.buy("reader_gems")).orderID) }
    var found: [String?] = []
    var token = ""
    var sizes: [Int] = []
    repeat {
      let query = "?maxResults=2" + (token.isEmpty ? "" : "&token=\(token)")
      let page = try await scene.ask("voidedpurchases\(query)")
      let entries = page["voidedPurchases"]?.elements ?? []
      found += entries.map { $0["orderId"]?.string }
      sizes.append(entries.count)
      token = page["tokenPagination"]?["nextPageToken"]?.string ?? ""
    } while !token.isEmpty
    #expect(found == all)
    #expect(sizes == [2, 2, 1])
  }

  @Test("the list of another app of the developer is empty")
  func otherPackage() async throws {
    try play.revoke(play.buy("reader_gems"))
    let response = try await scene.send(.get, "voidedpurchases", package: "com.example.other")
    #expect(response.body == Array("{}".utf8))
  }
}
