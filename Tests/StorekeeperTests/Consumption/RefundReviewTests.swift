import Foundation
import HTTPMessages
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Google's questions about chargebacks (Google Play rules, section 9)", .onEveryStore)
struct RefundReviewTests {
  private static let declining = OrdersReviewRefundRequest(
    refundPreference: .decline, sampleContentProvided: true)

  private func delivery(
    _ scene: PlayScene, _ answerer: TestAnswerer, client: GooglePlayClient? = nil
  ) -> OutboxDelivery {
    let (play, incidents) = (scene.play, scene.orders.incidents)
    return OutboxDelivery(
      store: scene.orders.store,
      handler: ConsumptionDelivery(
        play: client ?? scene.client, answerer: answerer, store: scene.orders.store,
        now: { play.now }, report: { incidents.add($0) }),
      now: { play.now }, report: { incidents.add($0) })
  }

  private func cases(_ scene: PlayScene, _ purchase: TestPlayPurchase) async throws
    -> [ConsumptionCase]
  {
    try await scene.orders.store.read { records in
      try await records.consumption.cases(
        ofTransaction: "google:" + purchase.orderID, environment: .production)
    }
  }

  /// The only case of a purchase.
  private func question(_ scene: PlayScene, _ purchase: TestPlayPurchase) async throws
    -> ConsumptionCase
  {
    let cases = try await cases(scene, purchase)
    #expect(cases.count == 1)
    return try #require(cases.first)
  }

  /// Sells, and pushes Google's question.
  private func asked(
    _ scene: PlayScene, _ terms: PlayTerms = PlayTerms()
  ) async throws -> TestPlayPurchase {
    let purchase = try scene.play.acknowledge(scene.play.buy("gold_theme", terms))
    try scene.play.requestRefundReview(of: purchase)
    #expect(try await scene.push().allSatisfy(\.isAcknowledged))
    return purchase
  }

  private func passes(_ scene: PlayScene, _ seconds: Double) {
    scene.play.clock.advance(by: .seconds(seconds))
  }

  @Test("a question is stored once, also if another message asks it, and answered once")
  func answered() async throws {
    let scene = try await PlayScene()
    let purchase = try await asked(scene)
    let asking = try #require(scene.play.notifications.last)
    let again = try scene.play.push(asking)
    let receiver = PushReceiver(notifications: scene.notifications)
    var other = again
    other.body = Array(
      String(decoding: again.body, as: UTF8.self).replacing(asking.messageID, with: "other").utf8)
    for request in [again, other] {
      #expect(try await receiver.send(request).status == .noContent)
    }
    let waiting = try await question(scene, purchase)
    #expect(waiting.vendor == .google)
    #expect(waiting.state == .waiting)
    #expect(waiting.reason == "7")
    #expect(waiting.requestedDate == OrderScene.start)
    #expect(waiting.deadline == OrderScene.start + 86_400)
    #expect(waiting.pendingRefundToken == scene.play.refundReviews.first?.pendingRefundToken)
    passes(scene, 30)
    let answerer = TestAnswerer { _ in .review(Self.declining) }
    let report = try await delivery(scene, answerer).deliverDue()
    #expect((report.delivered, report.failed) == (1, 0))
    let answered = try await question(scene, purchase)
    #expect(answered.state == .answered)
    #expect(answered.stateDate == OrderScene.start + 30)
    #expect(answered.productID == "gold_theme")
    #expect(answered.originalTransactionID == "google:" + scene.key(of: purchase).identifier)
    let kept = try JSONValue(parsing: Array((answered.answer ?? "").utf8))
    #expect(
      kept
        == .object([
          "pendingRefundToken": .string(""), "refundPreference": .string("DECLINE"),
          "sampleContentProvided": .boolean(true),
        ]))
    let review = try #require(scene.play.refundReviews.first)
    #expect(review.answers == 1)
    #expect(review.answer?.refundPreference == .decline)
    #expect(review.answered == OrderScene.start + 30)
    passes(scene, 3600)
    #expect(try await delivery(scene, answerer).deliverDue() == OutboxDelivery.Report())
    #expect(answerer.all.count == 1)
  }

  @Test("the host sees the order and the purchase as they are now")
  func presentFacts() async throws {
    let scene = try await PlayScene()
    var terms = PlayTerms()
    terms.obfuscatedAccountID = "account-1"
    let bought = try await asked(scene, terms)
    let subscribed = try scene.play.acknowledge(scene.play.subscribe("pro_monthly", terms))
    try scene.play.requestRefundReview(of: subscribed)
    _ = try scene.play.cancel(subscribed)
    _ = try await scene.push()
    let answerer = TestAnswerer { _ in .review(Self.declining) }
    _ = try await delivery(scene, answerer).deliverDue()
    let reviewed = answerer.all.compactMap(\.order)
    #expect(answerer.all.map(\.vendor) == [.google, .google])
    #expect(reviewed.map(\.order.orderID) == [bought.orderID, subscribed.orderID])
    #expect(reviewed.map(\.reason) == [.chargeback, .chargeback])
    #expect(reviewed.map(\.obfuscatedAccountID) == ["account-1", "account-1"])
    guard case .product(let product)? = reviewed.first?.purchase,
      case .subscription(let subscription)? = reviewed.last?.purchase
    else {
      Issue.record("purchases of other kinds")
      return
    }
    #expect(product.productLineItems.map(\.productID) == ["gold_theme"])
    #expect(subscription.subscriptionState == .canceled)
  }

  @Test("a purchase that Google has forgotten is no reason to give no answer")
  func forgotten() async throws {
    let scene = try await PlayScene()
    let purchase = try await asked(scene)
    try scene.play.forget(purchase)
    let answerer = TestAnswerer { _ in .review(Self.declining) }
    _ = try await delivery(scene, answerer).deliverDue()
    #expect(answerer.all.first?.order?.order.orderID == purchase.orderID)
    #expect(answerer.all.first?.order?.purchase == nil)
    #expect(try await question(scene, purchase).state == .answered)
  }

  @Test("without an answer of the host nothing is sent")
  func declined() async throws {
    let scene = try await PlayScene()
    let purchase = try await asked(scene)
    let answerer = TestAnswerer { _ in nil }
    #expect(try await delivery(scene, answerer).deliverDue().delivered == 1)
    #expect(try await question(scene, purchase).state == .declined)
    #expect(scene.play.refundReviews.map(\.answers) == [0])
  }

  @Test("nothing is sent after the deadline, a day after the notification's own time")
  func missed() async throws {
    let scene = try await PlayScene()
    let purchase = try scene.play.acknowledge(scene.play.buy("gold_theme"))
    try scene.play.requestRefundReview(of: purchase)
    passes(scene, 3600)
    _ = try await scene.push()
    passes(scene, 82_800)
    let before = scene.play.requests.count
    let answerer = TestAnswerer { _ in .review(Self.declining) }
    #expect(try await delivery(scene, answerer).deliverDue().delivered == 1)
    #expect(try await question(scene, purchase).state == .missed)
    #expect(scene.play.requests.count == before)
    #expect(answerer.all.isEmpty)
    guard case .consumptionMissed(.google)? = scene.orders.incidents.all.last else {
      Issue.record("it was not reported")
      return
    }
  }

  @Test("an answer that breaks Google's rules is not sent, and can be mended before the deadline")
  func broken() async throws {
    let scene = try await PlayScene()
    let purchase = try await asked(scene)
    let answerer = TestAnswerer { _ in
      var review = Self.declining
      review.consumptionPercentageMilliunits = 100_001
      return .review(review)
    }
    #expect(try await delivery(scene, answerer).deliverDue().failed == 1)
    #expect(
      scene.orders.incidents.refusedReviews == [
        .invalidCall(
          .outOfRange(
            .consumptionPercentageMilliunits, allowed: 0...100_000, found: 100_001))
      ])
    let waiting = try await question(scene, purchase)
    #expect(waiting.state == .waiting)
    #expect(waiting.answer == nil)
    passes(scene, 120)
    let mended = TestAnswerer { _ in .review(Self.declining) }
    _ = try await delivery(scene, mended).deliverDue()
    #expect(try await question(scene, purchase).state == .answered)
    #expect(scene.play.refundReviews.map(\.answers) == [1])
  }

  @Test("an answer in Apple's form, and one that is too long to be kept, are not sent")
  func otherForms() async throws {
    let scene = try await PlayScene()
    let purchase = try await asked(scene)
    let apples = TestAnswerer { _ in
      .information(
        ConsumptionRequest(
          customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: true))
    }
    let long = TestAnswerer { _ in
      var event = ConsumptionUsageEvent()
      event.consumptionItemDescription = String(repeating: "x", count: 5000)
      var review = Self.declining
      review.consumptionUsageEvents = Array(repeating: event, count: 20)
      return .review(review)
    }
    for answerer in [apples, long] {
      #expect(try await delivery(scene, answerer).deliverDue().failed == 1)
      passes(scene, 600)
    }
    #expect(
      scene.orders.incidents.deliveryFailures == [.otherStore, .answerTooLong(limit: 65_535)])
    #expect(scene.play.refundReviews.map(\.answers) == [0])
    #expect(try await question(scene, purchase).state == .waiting)
  }

  @Test("a refused key and an order that Google does not know leave the question waiting")
  func refusedKey() async throws {
    let scene = try await PlayScene()
    let purchase = try await asked(scene)
    let answerer = TestAnswerer { _ in .review(Self.declining) }
    let faults: [(PlayStoreSimulator.Fault, PlayStoreSimulator.Endpoint)] = [
      (.permissionDenied, .order), (.error(.notFound, reason: "notFound"), .order),
      (.permissionDenied, .reviewRefund),
    ]
    for (fault, endpoint) in faults {
      scene.play.fail(with: fault, at: endpoint)
      #expect(try await delivery(scene, answerer).deliverDue().failed == 1)
      #expect(try await question(scene, purchase).state == .waiting)
      passes(scene, 3600)
    }
    #expect(scene.orders.incidents.refusedReviews.count == 3)
    _ = try await delivery(scene, answerer).deliverDue()
    #expect(try await question(scene, purchase).state == .answered)
    // The first answer was refused, so that the host was asked anew.
    #expect(answerer.all.count == 2)
  }

  @Test("a question that Google has decided is given up")
  func decided() async throws {
    let scene = try await PlayScene()
    let purchase = try await asked(scene)
    _ = try scene.play.decideRefundReview(of: purchase, otherwise: .decline)
    let answerer = TestAnswerer { _ in .review(Self.declining) }
    #expect(try await delivery(scene, answerer).deliverDue().delivered == 1)
    #expect(try await question(scene, purchase).state == .refused)
    #expect(scene.orders.incidents.refusedReviews.map(\.kind) == [.invalid])
  }

  @Test("an answer that may have arrived is sent again as it was, and a refusal says that it had")
  func lostAnswer() async throws {
    let scene = try await PlayScene()
    let purchase = try await asked(scene)
    scene.play.fail(with: .answerLost(.interrupted), at: .reviewRefund)
    let first = TestAnswerer { _ in .review(Self.declining) }
    #expect(try await delivery(scene, first).deliverDue().failed == 1)
    let sent = try await question(scene, purchase)
    #expect(sent.state == .waiting)
    #expect(sent.answer != nil)
    // A refused key says nothing about the answer before.
    passes(scene, 120)
    scene.play.fail(with: .permissionDenied, at: .reviewRefund)
    let second = TestAnswerer { _ in nil }
    #expect(try await delivery(scene, second).deliverDue().failed == 1)
    #expect(try await question(scene, purchase).answer == sent.answer)
    passes(scene, 600)
    #expect(try await delivery(scene, second).deliverDue().delivered == 1)
    #expect(second.all.isEmpty)
    let settled = try await question(scene, purchase)
    #expect(settled.state == .answered)
    #expect(settled.answer == sent.answer)
    let review = try #require(scene.play.refundReviews.first)
    #expect(review.answer?.refundPreference == .decline)
    #expect(review.answered == OrderScene.start)
    #expect(review.answers == 2)
    // Google does not say whether it refuses because it has an answer.
    #expect(scene.orders.incidents.refusedReviews.map(\.kind) == [.credentials, .invalid])
  }

  @Test("an answer that has not arrived is asked for anew")
  func notSent() async throws {
    let scene = try await PlayScene()
    let purchase = try await asked(scene)
    scene.play.fail(with: .transportFailure(.notConnected), at: .reviewRefund)
    let first = TestAnswerer { _ in .review(Self.declining) }
    #expect(try await delivery(scene, first).deliverDue().failed == 1)
    #expect(try await question(scene, purchase).answer == nil)
    passes(scene, 120)
    let second = TestAnswerer { _ in
      .review(OrdersReviewRefundRequest(refundPreference: .approve, sampleContentProvided: true))
    }
    _ = try await delivery(scene, second).deliverDue()
    #expect(try await question(scene, purchase).state == .answered)
    #expect(scene.play.refundReviews.map(\.answer?.refundPreference) == [.approve])
  }

  @Test("Google's refund is the outcome, whether a push tells it or the list of voided purchases")
  func outcomes() async throws {
    let scene = try await PlayScene()
    let (pushed, listed) = (try await asked(scene), try await asked(scene))
    let unrelated = try await asked(scene)
    passes(scene, 60)
    _ = try scene.play.decideRefundReview(of: pushed)
    #expect(try await scene.push().allSatisfy(\.isAcknowledged))
    scene.play.loseNotifications(next: 1)
    _ = try scene.play.decideRefundReview(of: listed)
    #expect(try await cases(scene, listed).map(\.outcome) == [nil])
    for _ in 0..<2 {
      _ = try await VoidedPurchaseRecovery(scene.notifications).recover()
      passes(scene, 60)
    }
    for purchase in [pushed, listed] {
      let ended = try await question(scene, purchase)
      #expect(ended.outcome == "REFUND_TYPE_FULL_REFUND")
      #expect(ended.outcomeDate == OrderScene.start + 60)
    }
    #expect(try await question(scene, unrelated).outcome == nil)
  }

  @Test("a question without a token or an order is reported, and not pushed again")
  func damaged() async throws {
    let scene = try await PlayScene()
    let purchase = try scene.play.acknowledge(scene.play.buy("gold_theme"))
    try scene.play.requestRefundReview(of: purchase)
    let asking = try #require(scene.play.notifications.last)
    let receiver = PushReceiver(notifications: scene.notifications)
    for name in ["pendingRefundToken", "orderId"] {
      var request = try scene.play.push(asking)
      request.body = try Self.without(name, request.body)
      #expect(try await receiver.send(request).status == .noContent)
    }
    let refusals = scene.orders.incidents.all.compactMap { incident -> PushRefusal? in
      if case .pushRefused(let refusal) = incident { refusal } else { nil }
    }
    #expect(refusals == [.damaged, .damaged])
    #expect(try await cases(scene, purchase).isEmpty)
    #expect(
      try await scene.orders.store.read { try await $0.outbox.backlog().waiting } == 0)
  }

  private struct NoQuestion: Error {}

  /// The body of a push without a member of the question.
  private static func without(_ name: String, _ body: [UInt8]) throws -> [UInt8] {
    guard case .object(var push) = try JSONValue(parsing: body),
      case .object(var message)? = push["message"], case .string(let data)? = message["data"],
      let bytes = Data(base64Encoded: data),
      case .object(var notification) = try JSONValue(parsing: Array(bytes)),
      case .object(var question)? = notification["pendingRefundReviewNotification"]
    else { throw NoQuestion() }
    question[name] = nil
    notification["pendingRefundReviewNotification"] = .object(question)
    let changed = Data(JSONValue.object(notification).serialized).base64EncodedString()
    message["data"] = .string(changed)
    push["message"] = .object(message)
    return JSONValue.object(push).serialized
  }

  @Test("the question and its message are stored together, or neither", arguments: [1, 2])
  func together(failing: Int) async throws {
    let scene = try await PlayScene()
    let purchase = try scene.play.acknowledge(scene.play.buy("gold_theme"))
    _ = try await scene.push()
    try scene.play.requestRefundReview(of: purchase)
    var context = scene.service.context
    context.store = faultyStore(base: scene.orders.store, failing: failing)
    let faulty = try PlayNotificationService(
      context, play: scene.client, tokens: scene.notifications.tokens)
    let attempts = try await scene.play.deliverPushes(by: PushReceiver(notifications: faulty))
    #expect(attempts.map(\.isAcknowledged) == [false])
    #expect(try await cases(scene, purchase).isEmpty)
    #expect(try await scene.push().map(\.isAcknowledged) == [true])
    #expect(try await question(scene, purchase).state == .waiting)
    #expect(
      try await scene.orders.store.read { try await $0.outbox.backlog().waiting } == 1)
  }

  @Test("neither a case nor a question shows a token, an answer or an account")
  func redaction() async throws {
    let scene = try await PlayScene()
    var terms = PlayTerms()
    terms.obfuscatedAccountID = "account-1"
    let purchase = try await asked(scene, terms)
    let answerer = TestAnswerer { _ in .review(Self.declining) }
    _ = try await delivery(scene, answerer).deliverDue()
    let settled = try await question(scene, purchase)
    var shown = "\(settled) \(answerer.all)"
    dump(settled, to: &shown)
    dump(answerer.all, to: &shown)
    let token = try #require(settled.pendingRefundToken)
    for secret in [token, purchase.purchaseToken, "DECLINE", "account-1"] {
      #expect(!shown.contains(secret))
    }
  }

  @Test("a person's answer has the token of the question, and the purchase is known before")
  func byHand() async throws {
    let scene = try await PlayScene()
    let purchase = try await asked(scene)
    let (play, store) = (scene.play, scene.orders.store)
    let delivery = ConsumptionDelivery(
      play: scene.client, store: store, now: { play.now }, report: { _ in })
    let outbox = OutboxDelivery(
      store: store, handler: delivery, now: { play.now }, report: { _ in })
    #expect(try await outbox.deliverDue().postponed == 1)
    let known = try await question(scene, purchase)
    #expect(known.originalTransactionID == "google:" + scene.key(of: purchase).identifier)
    #expect((known.productID, known.state) == ("gold_theme", .waiting))
    try await delivery.propose(.review(Self.declining), to: known.key)
    passes(scene, 60)
    #expect(try await outbox.deliverDue().delivered == 1)
    #expect(try await question(scene, purchase).state == .answered)
    let review = try #require(scene.play.refundReviews.first)
    #expect(review.answer?.refundPreference == .decline)
    #expect(review.answer?.pendingRefundToken == review.pendingRefundToken)
    #expect(review.answers == 1)
  }

  @Test("an answer that a person gives while Google is asked is not lost")
  func byHandMeanwhile() async throws {
    let scene = try await PlayScene()
    let purchase = try await asked(scene)
    let (play, store) = (scene.play, scene.orders.store)
    let key = try await question(scene, purchase).key
    let person = ConsumptionDelivery(
      play: scene.client, store: store, now: { play.now }, report: { _ in })
    let transport = BusyTransport(base: play) {
      try await person.propose(.review(Self.declining), to: key)
    }
    let delivery = ConsumptionDelivery(
      play: try PlayScene.client(of: play, transport, packageName: play.packageName), store: store,
      now: { play.now }, report: { _ in })
    let outbox = OutboxDelivery(
      store: store, handler: delivery, now: { play.now }, report: { _ in })
    #expect(try await outbox.deliverDue().postponed == 1)
    let known = try await question(scene, purchase)
    #expect(known.productID == "gold_theme")
    #expect(known.proposedAnswer != nil)
  }

  /// A transport on the way of whose first request something happens.
  private final class BusyTransport: HTTPTransport {
    let base: PlayStoreSimulator
    private let act: @Sendable () async throws -> Void
    private let hasActed = Locked(false)

    init(base: PlayStoreSimulator, _ act: @escaping @Sendable () async throws -> Void) {
      (self.base, self.act) = (base, act)
    }

    func send(
      _ request: HTTPRequestMessage
    ) async throws -> HTTPResponseMessage {
      let isFirst = hasActed.withLock { hasActed in
        defer { hasActed = true }
        return !hasActed
      }
      if isFirst { try? await act() }
      return try await base.send(request)
    }
  }

  @Test("a handler takes the questions of those stores of which it has a client")
  func kinds() async throws {
    let scene = try await PlayScene()
    let answerer = TestAnswerer { _ in nil }
    let none = ConsumptionDelivery(answerer: answerer, store: scene.orders.store)
    #expect(none.kinds == [])
    let google = ConsumptionDelivery(
      play: scene.client, answerer: answerer, store: scene.orders.store)
    #expect(google.kinds == [.refundReview])
    let server = try await ServerScene()
    let both = ConsumptionDelivery(
      appStore: server.client, play: scene.client, answerer: answerer, store: scene.orders.store)
    #expect(both.kinds == [.consumption, .refundReview])
  }
}
