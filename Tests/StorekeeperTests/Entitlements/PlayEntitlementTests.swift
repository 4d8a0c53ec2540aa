import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// Source: entitlement rules, section 7; Google Play rules, sections 3.1 and 4.
@Suite("Purchase tokens as evidence for entitlements", .onEveryStore)
struct PlayEntitlementTests {
  @Test("each item of a purchase entitles by its own product, until its own end")
  func items() async throws {
    let host = try await PlayHost()
    let google = ItemsGoogle(behind: host.play)
    google.items.withLock { $0 = ["basic_monthly": 10, "pro_monthly": 20] }
    let service = try google.entitlements(of: host)
    try await service.validate(
      UploadedEvidence(purchaseTokens: ["token-1"]), for: "alice", in: PlayHost.bundleID)
    func shown() async throws -> SubscriptionCandidate? {
      try await service.products(of: "alice", in: PlayHost.bundleID).subscription?.subscription
    }
    let pro = try #require(try await shown())
    #expect(pro.productID == "pro_monthly")
    #expect(pro.expiresDate == OrderScene.start + 20 * Self.day)
    _ = try await service.acquire(
      "com.example.snips.charts", for: "alice", in: PlayHost.bundleID)
    // The item with the later end is taken back, and the other one runs on.
    host.play.clock.advance(by: .seconds(Self.day))
    google.items.withLock { $0 = ["basic_monthly": 10] }
    try await service.restore("alice", in: PlayHost.bundleID)
    let basic = try #require(try await shown())
    #expect(basic.productID == "basic_monthly")
    #expect(basic.expiresDate == OrderScene.start + 10 * Self.day)
    #expect(basic.cancellationDate == nil)
  }

  @Test("an item that was not renewed is over at its end, without days of grace")
  func itemOver() async throws {
    let host = try await PlayHost()
    let google = ItemsGoogle(behind: host.play)
    google.items.withLock { $0 = ["basic_monthly": 20, "pro_monthly": 10] }
    let service = try google.entitlements(of: host)
    try await service.validate(
      UploadedEvidence(purchaseTokens: ["token-1"]), for: "alice", in: PlayHost.bundleID)
    try await service.acquire("com.example.snips.charts", for: "alice", in: PlayHost.bundleID)
    func allowed() async throws -> [String] {
      try await service.products(of: "alice", in: PlayHost.bundleID).allowedProducts
    }
    #expect(try await allowed() == ["com.example.snips.charts"])
    host.play.clock.advance(by: .seconds(11 * Self.day))
    for items in [["basic_monthly": 20, "pro_monthly": 10], ["basic_monthly": 20]] {
      google.items.withLock { $0 = items }
      try await service.restore("alice", in: PlayHost.bundleID)
      let answer = try await service.products(of: "alice", in: PlayHost.bundleID)
      #expect(answer.isSubscriber && answer.subscription?.subscription.productID == "basic_monthly")
      let pro = try await host.services.common.read { records in
        try await records.purchases.transactions(
          of: [answer.subscription?.subscription.originalTransactionID ?? ""],
          environment: .production)
      }.first { $0.productID == "pro_monthly" }
      #expect(pro?.cancellationDate == OrderScene.start + 10 * Self.day)
    }
  }

  @Test("an upload is acknowledged, whether it is of a subscription or of a product, and once")
  func acknowledgement() async throws {
    let host = try await PlayHost()
    let bought = [try host.play.subscribe("pro_monthly"), try host.play.buy("gold_theme")]
    try await host.validate(bought[0], bought[1], for: "alice")
    let store = host.services.common
    let delivery = OutboxDelivery(
      store: store,
      handler: AcknowledgementDelivery(
        host.scene.client, store: store, now: { host.play.now }), now: { host.play.now })
    #expect(try await delivery.deliverDue().delivered == 2)
    for purchase in bought {
      #expect(try host.play.purchase(purchase.purchaseToken).isAcknowledged)
    }
    try await host.validate(bought[0], bought[1], for: "alice")
    #expect(try await delivery.deliverDue().delivered == 0)
  }

  @Test("what was uploaded for nobody, or is somebody else's, is not acknowledged")
  func notAcknowledged() async throws {
    let host = try await PlayHost()
    let bought = try host.play.subscribe("pro_monthly")
    let evidence = UploadedEvidence(purchaseTokens: [bought.purchaseToken])
    _ = try await host.services.entitlements.validate(
      evidence, for: nil, in: PlayHost.bundleID)
    let marked = try host.play.subscribe(
      "pro_monthly", by: "bob", PlayTerms(obfuscatedAccountID: PlayAccounts.mark + "bob"))
    await #expect(throws: EntitlementFailure.accountTokenMismatch) {
      try await host.validate(marked, for: "alice")
    }
    let waiting = try await host.services.common.read { try await $0.outbox.backlog().waiting }
    #expect(waiting == 0)
  }

  @Test("a one-time product that is in no list may be a pack, which its grant acknowledges")
  func unlisted() async throws {
    let host = try await PlayHost()
    let pack = try host.play.buy("gems_big")
    try await host.validate(pack, for: "alice")
    #expect(try await host.purchased("alice") == ["gems_big"])
    let waiting = try await host.services.common.read { try await $0.outbox.backlog().waiting }
    #expect(waiting == 0)
  }

  @Test("the list of voided purchases takes a product back, on a host without orders")
  func voided() async throws {
    let host = try await PlayHost()
    let bought = try host.play.acknowledge(host.play.buy("gold_theme"))
    try await host.validate(bought, for: "alice")
    host.play.clock.advance(by: .seconds(60))
    _ = try host.play.revoke(bought)
    let notifications = try PlayNotificationService(
      host.services.entitlements.context, play: host.scene.client, tokens: nil,
      entitlements: host.services.entitlements)
    _ = try await VoidedPurchaseRecovery(notifications, clock: host.play.clock).recover()
    #expect(try await host.purchased("alice") == [])
  }

  @Test("a stored purchase is asked about again at Google when its validation is due")
  func revalidated() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    try await host.validate(bought, for: "alice")
    host.play.clock.advance(by: .seconds(60))
    _ = try host.play.revoke(bought)
    host.play.clock.advance(by: .seconds(8 * Self.day))
    #expect(try await host.subscribed("alice") == "pro_monthly")
    let run = try await host.services.entitlements.revalidateDue()
    #expect(run.succeeded == 1 && run.failed == 0)
    #expect(try await host.subscribed("alice") == nil)
  }

  static let day: TimeInterval = 86_400
}

/// A Google whose subscription has items that end so many days after the start.
private final class ItemsGoogle: HTTPTransport {
  let items = Locked<[String: Int]>([:])
  private let play: PlayStoreSimulator

  init(behind play: PlayStoreSimulator) { self.play = play }

  func entitlements(of host: PlayHost) throws -> EntitlementService {
    let client = try PlayScene.client(of: host.play, self)
    let play = host.play
    return try EntitlementService(
      PurchaseContext(
        store: host.services.common, accounts: PlayAccounts(), now: { play.now }),
      apps: [
        EntitledApp(
          bundleID: PlayHost.bundleID,
          catalog: try ProductCatalog(json: Array(PlayHost.list.utf8)), googlePlay: client)
      ])
  }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    guard request.url.contains("/subscriptionsv2/") else { return try await play.send(request) }
    let items = items.withLock { $0 }.sorted { $0.key < $1.key }.map { product, days in
      let end = OrderScene.start.addingTimeInterval(Double(days) * 86_400).formatted(.iso8601)
      return """
        {"productId":"\(product)","expiryTime":"\(end)","latestSuccessfulOrderId":"GPA.1"}
        """
    }
    let body = """
      {"subscriptionState":"SUBSCRIPTION_STATE_ACTIVE",\
      "acknowledgementState":"ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED",\
      "lineItems":[\(items.joined(separator: ","))]}
      """
    return HTTPResponseMessage(status: .ok, body: Array(body.utf8))
  }
}
