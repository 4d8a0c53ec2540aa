import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Google's purchases as facts (Google Play rules, section 3.1)")
struct PlayFactsTests {
  @Test("neither facts nor reports show a token, also of a purchase that was replaced")
  func redaction() async throws {
    let scene = try await PlayScene()
    let old = try scene.play.acknowledge(scene.play.subscribe("basic_monthly"))
    let new = try scene.play.changePlan(of: old, to: "pro_monthly")
    let report = await GoogleVendor(scene.client).report(
      on: new.purchaseToken, for: .order, at: scene.play.now)
    var shown = "\(report) \(String(describing: report.facts))"
    dump(report, to: &shown)
    dump(report.facts, to: &shown)
    for token in [old.purchaseToken, new.purchaseToken] { #expect(!shown.contains(token)) }
  }

  private static let month: TimeInterval = 30 * 86_400

  @Test("a subscription is a purchase under its order, and its token stands for the first charge")
  func subscription() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    let facts = try await host.facts(of: bought)
    #expect(facts.vendor == .google)
    #expect(facts.voucher == .googlePlay)
    #expect(facts.completeness == .single)
    #expect(facts.environment == .production)
    #expect(facts.asOf == host.play.now)
    let purchase = try #require(facts.purchases.first)
    #expect(facts.purchases.count == 1)
    #expect(purchase.transactionID == "google:\(bought.orderID):pro_monthly")
    #expect(purchase.originalTransactionID == host.id(of: bought))
    #expect(purchase.vendor == .google)
    #expect(purchase.productID == "pro_monthly")
    #expect(purchase.productType == .autoRenewableSubscription)
    #expect(purchase.originalPurchaseDate == OrderScene.start)
    #expect(purchase.expiresDate == OrderScene.start + Self.month)
    let renewal = try #require(facts.renewals.first)
    #expect(renewal.willRenew == true)
    #expect(renewal.autoRenewProductID == "pro_monthly")
    #expect(!renewal.isInBillingRetry)
  }

  @Test(
    "the base plan decides about the membership where the host names it",
    arguments: [("monthly", BillingCycle.month), ("yearly", .year), ("prepaid-month", .month)])
  func basePlan(id: String, cycle: BillingCycle) async throws {
    let play = try PlayStoreSimulator(packageName: PlayScene.packageName)
    let bought = try play.subscribe("reader_standard", basePlan: id)
    let source = PlayPurchaseSource(
      try PlayScene.client(of: play, play), store: InMemoryPurchaseStore(), now: { play.now })
    let facts = try await source.facts(ofSubscription: bought.purchaseToken)
    #expect(facts.purchases.map(\.planID) == [id])
    let products: ProductMap = [
      "reader_standard": Plan("standard", every: .month),
      "reader_standard:yearly": Plan("standard", every: .year),
    ]
    let subscription = Subscription(
      originalTransactionID: try #require(facts.originalTransactionIDs.first),
      environment: facts.environment, transactions: facts.purchases, renewals: facts.renewals,
      products: products)
    #expect(subscription?.cycle == cycle)
  }

  private static func facts(
    _ plan: PlayBasePlan, _ terms: PlayTerms = PlayTerms(),
    after change: (PlayStoreSimulator, TestPlayPurchase) throws -> Void = { _, _ in }
  ) async throws -> PurchaseFacts {
    let play = try PlayStoreSimulator(
      packageName: PlayScene.packageName,
      products: [PlayProduct("reader_standard", .subscription([plan]))])
    let bought = try play.subscribe("reader_standard", terms)
    try change(play, bought)
    let source = PlayPurchaseSource(
      try PlayScene.client(of: play, play), store: InMemoryPurchaseStore(), now: { play.now })
    return try await source.facts(ofSubscription: bought.purchaseToken)
  }

  @Test(
    "the phase of an offer tells trials and introductory prices",
    arguments: [
      (PlayTerms.Phase.freeTrial, true, false), (.introductoryPrice, false, true),
      (.basePrice, false, false),
    ])
  func phase(phase: PlayTerms.Phase, isTrial: Bool, isIntroductory: Bool) async throws {
    var terms = PlayTerms(offer: "welcome")
    terms.firstPhase = phase
    let facts = try await Self.facts(PlayBasePlan("monthly", period: .days(30)), terms)
    let purchase = try #require(facts.purchases.first)
    #expect(purchase.isTrialPeriod == isTrial)
    #expect(purchase.isInIntroOfferPeriod == isIntroductory)
    let isOffered = isTrial || isIntroductory
    #expect(
      purchase.offer
        == (isOffered ? PurchaseOffer(type: .introductory, identifier: "welcome") : nil))
  }

  @Test("instalments that are left are a commitment, which a customer may have canceled")
  func installments() async throws {
    var plan = PlayBasePlan("parts", period: .days(30))
    plan.installments = PlayInstallments(2, subsequent: 4)
    let first = try await Self.facts(plan)
    #expect(first.purchases.map(\.commitment) == [PurchaseCommitment(paymentsLeft: 1)])
    #expect(first.renewals.map(\.commitment?.willRenew) == [true])
    let last = try await Self.facts(plan) { play, bought in
      _ = try play.acknowledge(bought)
      _ = try play.cancel(bought)
    }
    #expect(last.renewals.map(\.willRenew) == [true])
    #expect(last.renewals.map(\.commitment?.willRenew) == [false])
    let ended = try await Self.facts(plan) { play, bought in
      _ = try play.acknowledge(bought)
      _ = try play.cancel(bought, by: .developer)
    }
    #expect(ended.renewals.map(\.commitment?.willRenew) == [false])
    plan.installments = PlayInstallments(2)
    let single = try await Self.facts(plan)
    #expect(
      single.purchases.map(\.commitment) == [PurchaseCommitment(paymentsLeft: 1, payments: 2)])
    #expect(single.renewals.map(\.commitment?.willRenew) == [false])
  }

  @Test("each renewal is a purchase of its own under the same token")
  func renewal() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    host.play.clock.advance(by: .seconds(Self.month))
    let renewed = try host.play.renew(bought)
    let facts = try await host.facts(of: renewed)
    #expect(renewed.orderID != bought.orderID)
    #expect(facts.purchases.map(\.transactionID) == ["google:\(renewed.orderID):pro_monthly"])
    #expect(facts.originalTransactionIDs == [host.id(of: bought)])
    #expect(facts.purchases.first?.expiresDate == OrderScene.start + 2 * Self.month)
  }

  @Test("purchases of license testers are of the Sandbox")
  func licenseTester() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly", PlayTerms(buyer: .licenseTester))
    #expect(try await host.facts(of: bought).environment == .sandbox)
  }

  @Test("a cancelled subscription runs to its end and does not renew")
  func cancelled() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    _ = try host.play.cancel(bought)
    let facts = try await host.facts(of: bought)
    #expect(facts.purchases.first?.expiresDate == OrderScene.start + Self.month)
    #expect(facts.renewals.map(\.willRenew) == [false])
  }

  @Test("in the grace period the end is Google's, on hold it is past")
  func billingRetry() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    host.play.clock.advance(by: .seconds(Self.month))
    _ = try host.play.failRenewal(bought, gracePeriod: .seconds(86_400))
    let graceEnd = OrderScene.start + Self.month + 86_400
    let facts = try await host.facts(of: bought)
    #expect(facts.purchases.first?.expiresDate == graceEnd)
    #expect(facts.renewals.first?.gracePeriodExpiresDate == graceEnd)
    #expect(facts.renewals.first?.isInBillingRetry == true)
    host.play.clock.advance(by: .seconds(86_400))
    let held = try await host.facts(of: bought)
    #expect(held.purchases.first?.cancellationDate == graceEnd)
    #expect(held.renewals.first?.isInBillingRetry == true)
  }

  @Test("a revoked subscription ends at once")
  func revoked() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    host.play.clock.advance(by: .seconds(86_400))
    _ = try host.play.revoke(bought)
    let facts = try await host.facts(of: bought)
    #expect(facts.purchases.first?.cancellationDate == host.play.now)
  }

  @Test("a payment that has not arrived is no fact")
  func pending() async throws {
    let host = try await PlayHost()
    let bought = try host.play.subscribe("pro_monthly", PlayTerms(payment: .pending))
    await #expect(throws: FactsFailure.empty) { try await host.facts(of: bought) }
    _ = try host.play.cancelPayment(of: bought)
    await #expect(throws: FactsFailure.empty) { try await host.facts(of: bought) }
  }

  @Test("an item that a running subscription has no more is over, and the others run on")
  func removedItem() async throws {
    let host = try await PlayHost()
    let google = CannedGoogle(behind: host.play)
    let account = try GoogleServiceAccount(keyFile: host.play.serviceAccount.keyFile)
    var configuration = GooglePlayClient.Configuration()
    configuration.now = { host.play.now }
    // A test waits for the machine, not for a store.
    configuration.timeout = .seconds(600)
    configuration.patience = .seconds(600)
    let client = try GooglePlayClient(
      packageName: PlayScene.packageName,
      tokens: AccessTokenSource(
        account: account, transport: host.play, now: { host.play.now }),
      transport: google, configuration: configuration)
    let service = try OrderService(
      PurchaseContext(
        store: host.services.orders.store, accounts: UnlistedAccounts(), now: { host.play.now }),
      vendors: [GoogleVendor(client)])
    let order = SubscriptionOrder(userID: "alice", vendor: .google, receiptData: "token-1")
    google.items.withLock { $0 = ["basic_monthly", "pro_monthly"] }
    _ = try await service.order(order)
    host.play.clock.advance(by: .seconds(60))
    google.items.withLock { $0 = ["basic_monthly"] }
    google.order.withLock { $0 = "GPA.2" }
    _ = try await service.order(order)
    let id = "google:" + (GoogleVendor(client).purchaseKey(of: "token-1")?.identifier ?? "")
    let stored = try await host.services.common.read { records in
      try await records.purchases.transactions(of: [id], environment: .production)
    }
    let ends = Dictionary(grouping: stored, by: \.productID).mapValues {
      $0.compactMap(\.cancellationDate)
    }
    #expect(ends == ["basic_monthly": [], "pro_monthly": [host.play.now]])
  }

  @Test("a source of Google answers for purchases whose token is stored, and for no others")
  func source() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    let purchase = PurchaseReference(
      originalTransactionID: host.id(of: bought), environment: .production)
    let apples = PurchaseReference(
      originalTransactionID: "1000000000000001", environment: .production)
    #expect(purchase.vendor == .google)
    #expect(apples.vendor == .apple)
    #expect(try await host.services.source.facts(about: purchase) == nil)
    try await host.services.subscriptions.record(host.facts(of: bought))
    #expect(try await host.services.source.facts(about: purchase)?.purchases.count == 1)
    #expect(try await host.services.source.facts(about: apples) == nil)
    host.play.fail(next: nil, with: .error(.notFound, reason: "notFound"), at: .subscription)
    #expect(try await host.services.source.facts(about: purchase) == nil)
    host.play.stopFailing()
    host.play.fail(next: nil, with: .backendError, at: .subscription)
    await #expect(throws: GooglePlayFailure.self) {
      try await host.services.source.facts(about: purchase)
    }
  }
}

/// A Google whose subscriptions have items that a test names, which all end in a month.
private final class CannedGoogle: HTTPTransport {
  let items = Locked<[String]>([])
  let order = Locked("GPA.1")
  private let play: PlayStoreSimulator

  init(behind play: PlayStoreSimulator) { self.play = play }

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    guard request.url.contains("/subscriptionsv2/") else { return try await play.send(request) }
    let order = order.withLock { $0 }
    let items = items.withLock { $0 }.map { product in
      """
      {"productId":"\(product)","expiryTime":"2026-07-01T00:00:00Z",\
      "latestSuccessfulOrderId":"\(order)"}
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
