import Foundation
import GooglePlayVerifier
import HTTPMessages
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

/// Orders, changes by the developer and payments outside of Google's billing, as our own client sees them.
///
/// Google's client judges the answers in Tests/OfficialClients; here is what needs a clock or a fault.
@Suite("The Play store's orders")
struct PlayOrderTests {
  private let scene: PlayScene
  private let client: GooglePlayClient
  private var play: PlayStoreSimulator { scene.play }

  init() throws {
    let scene = try PlayScene()
    self.scene = scene
    let account = try GoogleServiceAccount(
      clientEmail: scene.play.serviceAccount.clientEmail,
      privateKey: scene.play.serviceAccount.privateKey,
      privateKeyID: scene.play.serviceAccount.privateKeyID)
    var configuration = GooglePlayClient.Configuration()
    configuration.now = { scene.play.now }
    client = try GooglePlayClient(
      packageName: PlayScene.packageName,
      tokens: AccessTokenSource(
        account: account, transport: scene.play, now: { scene.play.now }),
      transport: scene.play, configuration: configuration)
  }

  private func failure(_ call: () async throws -> Void) async -> GooglePlayFailure? {
    do { try await call() } catch { return error as? GooglePlayFailure }
    return nil
  }

  @Test("an order says whether the product was rented, or ordered before its release")
  func purchaseOptions() async throws {
    func details(
      _ option: PlayTerms.PurchaseOption
    ) async throws -> PlayOrder.OneTimePurchaseDetails? {
      var terms = PlayTerms()
      terms.purchaseOption = option
      let purchase = try play.buy("reader_gems", terms)
      return try await client.order(purchase.orderID).lineItems.first?.oneTimePurchaseDetails
    }
    let (bought, rented) = (try await details(.buy), try await details(.rent))
    let ordered = try await details(.preorder(release: play.now + 60))
    #expect([bought, rented, ordered].map { $0?.isRental } == [false, true, false])
    #expect([bought, rented, ordered].map { $0?.isPreorder } == [false, false, true])
    #expect([bought, rented, ordered].map { $0?.purchaseOptionID } == ["buy", "rent", "buy"])
  }

  @Test("an order has the period that it paid for, at the price of then")
  func orders() async throws {
    let purchase = try play.acknowledge(play.subscribe("reader_standard"))
    try play.changePrice(of: purchase, to: PlayPrice(units: 3))
    scene.advance(.days(30))
    let renewed = try play.renew(purchase)
    let orders = try await client.orders([purchase.orderID, renewed.orderID])
    #expect(orders.map(\.total?.units) == [4, 3])
    #expect(orders.map(\.total?.nanos) == [990_000_000, 0])
    let periods = orders.map { $0.lineItems.first?.subscriptionDetails }
    #expect(
      periods.map { $0?.servicePeriodStartTime } == [
        PlayScene.start, PlayScene.start.addingTimeInterval(30 * 86_400),
      ])
    #expect(periods.map { $0?.phase } == [.base, .base])
    #expect(orders.map(\.orderHistory?.processedTime) == orders.map(\.createTime))
  }

  @Test("a chargeback is told by the order")
  func chargeback() async throws {
    let purchase = try play.buy("reader_gems")
    try play.refund(purchase, source: .user, reason: .chargeback)
    let order = try await client.order(purchase.orderID)
    #expect(order.state == .refunded)
    #expect(order.orderHistory?.refundEvent?.refundReason == .chargeback)
  }

  @Test("some pieces that are refunded are a partial refund of the order")
  func pieces() async throws {
    let purchase = try play.buy("reader_gems", quantity: 3)
    try play.refund(purchase, quantity: 2)
    let order = try await client.order(purchase.orderID)
    #expect(order.state == .partiallyRefunded)
    #expect(order.orderHistory?.partialRefundEvents.map { $0.refundDetails?.total?.units } == [2])
  }

  @Test("the rest of the period is given back when a subscription is revoked for a part")
  func proration() async throws {
    let purchase = try play.subscribe("reader_standard", basePlan: "yearly")
    try play.acknowledge(purchase)
    scene.advance(.days(73))
    try await client.revokeSubscription(token: purchase.purchaseToken, .proratedRefund)
    let order = try await client.order(purchase.orderID)
    let amount = order.orderHistory?.partialRefundEvents.first?.refundDetails?.total
    // Four fifths of 39.
    #expect(amount?.units == 31)
    #expect(amount?.nanos == 200_000_000)
    let subscription = try await client.subscription(token: purchase.purchaseToken)
    #expect(subscription.subscriptionState == .expired)
  }

  @Test("an order of more than three years ago is not refunded")
  func oldOrders() async throws {
    let purchase = try play.acknowledge(play.buy("reader_lifetime"))
    scene.advance(.days(3 * 365 + 1))
    let failure = await failure {
      try await client.refundOrder(purchase.orderID, access: .revoked)
    }
    #expect(failure?.kind == .invalid)
    #expect(failure?.mayHaveActed == false)
  }

  @Test("a refund whose answer is lost has happened, and is not sent twice")
  func lostAnswer() async throws {
    let purchase = try play.acknowledge(play.buy("reader_lifetime"))
    play.fail(with: .answerLost(.interrupted), at: .refundOrder)
    let failure = await failure {
      try await client.refundOrder(purchase.orderID, access: .revoked)
    }
    #expect(failure == .transport(.interrupted))
    #expect(failure?.mayHaveActed == true)
    #expect(play.requests.count { $0.endpoint == .refundOrder } == 1)
    #expect(try await client.order(purchase.orderID).state == .refunded)
  }

  @Test("a review of a refund is taken once, within a day")
  func reviews() async throws {
    let purchase = try play.acknowledge(play.buy("reader_lifetime"))
    try play.requestRefundReview(of: purchase)
    try play.requestRefundReview(of: purchase)
    #expect(play.refundReviews.allSatisfy { $0.orderID == purchase.orderID })
    let answers = play.refundReviews.map { question in
      OrdersReviewRefundRequest(
        pendingRefundToken: question.pendingRefundToken, refundPreference: .decline,
        sampleContentProvided: false)
    }
    try #require(answers.count == 2)
    try await client.reviewRefund(of: purchase.orderID, answers[0])
    #expect(
      await failure { try await client.reviewRefund(of: purchase.orderID, answers[0]) }?.kind
        == .invalid)
    scene.advance(.days(1))
    #expect(
      await failure { try await client.reviewRefund(of: purchase.orderID, answers[1]) }?.kind
        == .invalid)
    let questions = Dictionary(
      uniqueKeysWithValues: play.refundReviews.map { ($0.pendingRefundToken, $0) })
    let first = questions[answers[0].pendingRefundToken]
    #expect(first?.answer == answers[0])
    #expect(first?.answered == PlayScene.start)
    #expect(first?.answers == 2)
    #expect(questions[answers[1].pendingRefundToken]?.answer == nil)
  }

  @Test(
    "a chargeback ends as the developer wants, otherwise as told, and takes no answer afterwards",
    arguments: [
      (OrdersReviewRefundRequest.RefundPreference?.some(.decline), PlayOrder.State.processed),
      (.approve, .refunded), (.neutral, .refunded), (nil, .refunded),
    ])
  func decisions(
    preference: OrdersReviewRefundRequest.RefundPreference?, state: PlayOrder.State
  ) async throws {
    let purchase = try play.acknowledge(play.buy("reader_lifetime"))
    #expect(throws: PlayStoreFailure.wrongState) { try play.decideRefundReview(of: purchase) }
    try play.requestRefundReview(of: purchase)
    let token = try #require(play.refundReviews.first).pendingRefundToken
    func answer(_ preference: OrdersReviewRefundRequest.RefundPreference) async throws {
      try await client.reviewRefund(
        of: purchase.orderID,
        OrdersReviewRefundRequest(
          pendingRefundToken: token, refundPreference: preference, sampleContentProvided: false))
    }
    if let preference { try await answer(preference) }
    try play.decideRefundReview(of: purchase)
    #expect(try await client.order(purchase.orderID).state == state)
    #expect(await failure { try await answer(.decline) }?.kind == .invalid)
    #expect(throws: PlayStoreFailure.wrongState) { try play.decideRefundReview(of: purchase) }
  }

  @Test("a subscription that changed after it was read is not deferred")
  func etags() async throws {
    let purchase = try play.acknowledge(play.subscribe("reader_standard"))
    let read = try await client.subscription(token: purchase.purchaseToken)
    let etag = try #require(read.etag)
    let items = try await client.deferSubscription(
      token: purchase.purchaseToken, by: .days(2), etag: etag)
    #expect(
      items.map(\.expiryTime) == [PlayScene.start.addingTimeInterval(32 * 86_400)])
    #expect(
      await failure {
        _ = try await client.deferSubscription(
          token: purchase.purchaseToken, by: .days(2), etag: etag)
      }?.kind == .invalid)
  }

  @Test("a payment outside of Google's billing is reported once, and refunded part by part")
  func externalTransactions() async throws {
    func price(_ micros: Int) -> ExternalTransaction.Price {
      ExternalTransaction.Price(currency: "EUR", priceMicros: micros)
    }
    let report = ExternalTransaction(
      oneTime: "token", preTaxAmount: price(10_000_000), taxAmount: price(2_000_000),
      at: PlayScene.start, userTaxAddress: ExternalTransactionAddress(regionCode: "DE"))
    let kept = try await client.createExternalTransaction("a-1", report)
    #expect(kept.transactionState == .reported)
    #expect(kept.createTime == PlayScene.start)
    #expect(try await client.externalTransaction("a-1") == kept)
    let refusal = await failure {
      _ = try await client.createExternalTransaction("a-1", report)
    }
    #expect(refusal?.error?.code == "ALREADY_EXISTS")
    #expect(refusal?.mayHaveActed == false)
    let part = PartialRefund(refundID: "r-1", refundPreTaxAmount: price(4_000_000))
    let left = try await client.refundExternalTransaction(
      "a-1", RefundExternalTransactionRequest(part, at: PlayScene.start))
    #expect(left.currentPreTaxAmount == price(6_000_000))
    #expect(left.currentTaxAmount == price(1_200_000))
    let none = try await client.refundExternalTransaction(
      "a-1", RefundExternalTransactionRequest(fullAt: PlayScene.start))
    #expect(none.transactionState == .canceled)
    #expect(none.currentPreTaxAmount == price(0))
  }
}
