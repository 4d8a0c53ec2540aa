import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Requests for consumption information", .onEveryStore)
struct ConsumptionTests {
  private static let declining: ConsumptionRequest = {
    var request = ConsumptionRequest(
      customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false)
    request.refundPreference = .decline
    return request
  }()

  private static let granting: ConsumptionRequest = {
    var request = declining
    request.refundPreference = .grantFull
    return request
  }()

  private func delivery(
    _ scene: ServerScene, _ answerer: any ConsumptionAnswerer, client: AppStoreServerClient? = nil
  ) -> OutboxDelivery {
    let appStore = scene.appStore
    let incidents = scene.incidents
    return OutboxDelivery(
      store: scene.store,
      handler: ConsumptionDelivery(
        appStore: client ?? scene.client, answerer: answerer,
        store: scene.store, now: { appStore.now },
        report: { incidents.add($0) }),
      now: { appStore.now }, report: { incidents.add($0) })
  }

  private func cases(_ scene: ServerScene, _ purchase: TestPurchase) async throws
    -> [ConsumptionCase]
  {
    try await scene.scene.store.read { records in
      try await records.consumption.cases(
        ofTransaction: purchase.transactionID, environment: .production)
    }
  }

  /// Asks for a refund, and receives Apple's notification twice.
  private func asked(
    _ scene: ServerScene, _ product: String = "reader.coffee"
  ) async throws -> TestPurchase {
    let purchase = try scene.appStore.buy(product)
    let request = try scene.appStore.requestRefund(purchase, reason: .unsatisfiedWithPurchase)
    for _ in 0..<2 {
      try await scene.notifications.receive(signedPayload: request.signedPayload)
    }
    return purchase
  }

  @Test("a request is answered once, and Apple's decision is kept")
  func answered() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let waiting = try await cases(scene, purchase)
    #expect(waiting.map(\.state) == [.waiting])
    #expect(waiting.first?.deadline == ServiceScene.start.addingTimeInterval(12 * 3600))
    #expect(waiting.first?.reason == "UNSATISFIED_WITH_PURCHASE")
    let answerer = TestAnswerer { _ in .information(Self.declining) }
    let report = try await delivery(scene, answerer).deliverDue()
    #expect((report.delivered, report.failed) == (1, 0))
    let question = try #require(answerer.all.first)
    #expect(question.vendor == .apple)
    let reviewed = try #require(question.transaction)
    #expect(reviewed.transaction.payload.transactionID == purchase.transactionID)
    #expect(reviewed.reason == .unsatisfiedWithPurchase)
    let answered = try await cases(scene, purchase)
    #expect(answered.first?.state == .answered)
    let sent = try JSONValue(parsing: Array((answered.first?.answer ?? "").utf8))
    #expect(
      sent
        == .object([
          "customerConsented": .boolean(true), "deliveryStatus": .string("DELIVERED"),
          "sampleContentProvided": .boolean(false), "refundPreference": .string("DECLINE"),
        ]))
    let decision = try scene.appStore.decideRefund(purchase)
    try await scene.notifications.receive(signedPayload: decision.signedPayload)
    #expect(try await cases(scene, purchase).first?.outcome == "REFUND_DECLINED")
    #expect(try await delivery(scene, answerer).deliverDue() == OutboxDelivery.Report())
  }

  @Test("a subscription's request and its refund are noted too")
  func subscription() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene, ServiceScene.monthly)
    let answerer = TestAnswerer { _ in nil }
    _ = try await delivery(scene, answerer).deliverDue()
    #expect(try await cases(scene, purchase).first?.state == .declined)
    #expect(scene.calls == ["transactions"])
    let decision = try scene.appStore.decideRefund(purchase, otherwise: .full)
    try await scene.notifications.receive(signedPayload: decision.signedPayload)
    #expect(try await cases(scene, purchase).first?.outcome == "REFUND")
  }

  @Test("nothing is sent after the deadline")
  func missed() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    scene.appStore.clock.advance(by: .seconds(12 * 3600))
    let answerer = TestAnswerer { _ in .information(Self.declining) }
    _ = try await delivery(scene, answerer).deliverDue()
    #expect(try await cases(scene, purchase).first?.state == .missed)
    #expect(scene.appStore.serverAPIRequests.isEmpty)
    #expect(answerer.all.isEmpty)
    guard case .consumptionMissed(.apple)? = scene.incidents.all.last else {
      Issue.record("it was not reported")
      return
    }
  }

  @Test("an answer that breaks Apple's rules is not sent, and can be mended before the deadline")
  func broken() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let answerer = TestAnswerer { _ in
      var request = Self.declining
      request.customerConsented = false
      return .information(request)
    }
    _ = try await delivery(scene, answerer).deliverDue()
    #expect(try await cases(scene, purchase).first?.state == .waiting)
    #expect(scene.appStore.serverAPIRequests.allSatisfy { $0.method == .get })
    scene.appStore.clock.advance(by: .seconds(120))
    let mended = TestAnswerer { _ in .information(Self.declining) }
    _ = try await delivery(scene, mended).deliverDue()
    #expect(try await cases(scene, purchase).first?.state == .answered)
  }

  @Test("a refused key leaves the request waiting")
  func refusedKey() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let client = try ServerScene.client(
      of: scene.appStore, FixedAnswer(.unauthorized),
      scene.scene.verifier())
    let answerer = TestAnswerer { _ in .information(Self.declining) }
    _ = try await delivery(scene, answerer, client: client).deliverDue()
    #expect(try await cases(scene, purchase).first?.state == .waiting)
  }

  @Test("a purchase about which Apple takes no answer is given up")
  func notTaken() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let changed = ChangedAnswers(base: scene.appStore) { request, response in
      guard request.method == .put else { return }
      response = HTTPResponseMessage(
        status: .badRequest, body: Array("{\"errorCode\":4000185}".utf8))
    }
    let client = try ServerScene.client(of: scene.appStore, changed, scene.scene.verifier())
    let answerer = TestAnswerer { _ in .information(Self.declining) }
    _ = try await delivery(scene, answerer, client: client).deliverDue()
    #expect(try await cases(scene, purchase).first?.state == .refused)
  }

  @Test("an answer that may have arrived is sent again as it was, and the host is not asked again")
  func lostAnswer() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let losing = LostAnswers(base: scene.appStore) { $0.method == .put }
    let client = try ServerScene.client(of: scene.appStore, losing, scene.scene.verifier())
    let first = TestAnswerer { _ in .information(Self.declining) }
    _ = try await delivery(scene, first, client: client).deliverDue()
    let sent = try #require(try await cases(scene, purchase).first)
    #expect(sent.state == .waiting)
    #expect(sent.answer != nil)
    scene.appStore.clock.advance(by: .seconds(120))
    let second = TestAnswerer { _ in nil }
    _ = try await delivery(scene, second).deliverDue()
    #expect(second.all.isEmpty)
    let settled = try #require(try await cases(scene, purchase).first)
    #expect(settled.state == .answered)
    #expect(settled.answer == sent.answer)
    let bodies = scene.appStore.serverAPIRequests.filter { $0.method == .put }.map(\.body)
    #expect(bodies.count == 2)
    #expect(Set(bodies).count == 1)
  }

  @Test(
    "an answer that comes after the end of its lease replaces none that was sent meanwhile",
    arguments: [true, false])
  func lateAnswer(isAnswered: Bool) async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let losing = LostAnswers(base: scene.appStore) { $0.method == .put }
    let client = try ServerScene.client(of: scene.appStore, losing, scene.scene.verifier())
    let late = LateAnswerer(isAnswered: isAnswered) {
      scene.appStore.clock.advance(by: .seconds(301))
      let other = TestAnswerer { _ in .information(Self.declining) }
      _ = try await delivery(scene, other, client: client).deliverDue()
    }
    _ = try await delivery(scene, late).deliverDue()
    let sent = try #require(try await cases(scene, purchase).first)
    #expect(sent.state == .waiting)
    #expect(sent.answer?.contains("DECLINE") == true)
    scene.appStore.clock.advance(by: .seconds(600))
    _ = try await delivery(scene, TestAnswerer { _ in nil }).deliverDue()
    let settled = try #require(try await cases(scene, purchase).first)
    #expect(settled.state == .answered)
    #expect(settled.answer == sent.answer)
    let bodies = scene.appStore.serverAPIRequests.filter { $0.method == .put }.map(\.body)
    #expect(bodies.count == 2)
    #expect(Set(bodies).count == 1)
  }

  /// An answerer that grants the refund once something else has happened.
  private struct LateAnswerer: ConsumptionAnswerer {
    let isAnswered: Bool
    let meanwhile: @Sendable () async throws -> Void

    func answer(to question: ConsumptionQuestion) async throws -> ConsumptionAnswer? {
      try await meanwhile()
      guard isAnswered else { return nil }
      var granting = ConsumptionTests.declining
      granting.refundPreference = .grantFull
      return .information(granting)
    }
  }

  @Test("an answer in Google's form is not sent to Apple")
  func otherStore() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let answerer = TestAnswerer { _ in
      .review(OrdersReviewRefundRequest(refundPreference: .decline, sampleContentProvided: true))
    }
    #expect(try await delivery(scene, answerer).deliverDue().failed == 1)
    #expect(scene.incidents.deliveryFailures == [ConsumptionDelivery.Failure.otherStore])
    #expect(try await cases(scene, purchase).first?.state == .waiting)
    #expect(scene.appStore.serverAPIRequests.allSatisfy { $0.method == .get })
  }

  @Test("outages until shortly before the deadline are no reason to miss it")
  func lateOutage() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let client = try ServerScene.client(
      of: scene.appStore, FixedAnswer(.serviceUnavailable), scene.scene.verifier())
    let answerer = TestAnswerer { _ in .information(Self.declining) }
    let (down, up) = (delivery(scene, answerer, client: client), delivery(scene, answerer))
    // Eleven hours and three quarters in which every attempt fails.
    for _ in 0..<705 {
      _ = try await down.deliverDue()
      scene.appStore.clock.advance(by: .seconds(60))
    }
    for _ in 0..<14 {
      _ = try await up.deliverDue()
      scene.appStore.clock.advance(by: .seconds(60))
    }
    #expect(try await cases(scene, purchase).first?.state == .answered)
  }

  @Test("a decision that comes twice is the outcome of one request only")
  func decisionTwice() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    scene.appStore.clock.advance(by: .seconds(60))
    let first = try scene.appStore.decideRefund(purchase, otherwise: .decline)
    try await scene.notifications.receive(signedPayload: first.signedPayload)
    scene.appStore.clock.advance(by: .seconds(60))
    let second = try scene.appStore.requestRefund(purchase)
    try await scene.notifications.receive(signedPayload: second.signedPayload)
    try await scene.notifications.receive(signedPayload: first.signedPayload)
    let outcomes = try await cases(scene, purchase).map(\.outcome)
    #expect(outcomes.compactMap(\.self) == ["REFUND_DECLINED"])
    #expect(outcomes.count == 2)
  }

  @Test("version 1 is for Advanced Commerce only")
  func version1() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let answerer = TestAnswerer { _ in
      .data(
        ConsumptionRequestV1(
          customerConsented: true, deliveryStatus: .delivered,
          sampleContentProvided: false))
    }
    _ = try await delivery(scene, answerer).deliverDue()
    #expect(try await cases(scene, purchase).first?.state == .waiting)
    #expect(scene.appStore.serverAPIRequests.allSatisfy { $0.method == .get })
  }

  @Test("a failure that may pass leaves the request waiting")
  func failed() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let client = try ServerScene.client(
      of: scene.appStore, FixedAnswer(.serviceUnavailable),
      scene.scene.verifier())
    let answerer = TestAnswerer { _ in .information(Self.declining) }
    let report = try await delivery(scene, answerer, client: client).deliverDue()
    #expect((report.delivered, report.failed) == (0, 1))
    #expect(try await cases(scene, purchase).first?.state == .waiting)
    scene.appStore.clock.advance(by: .seconds(120))
    _ = try await delivery(scene, answerer).deliverDue()
    #expect(try await cases(scene, purchase).first?.state == .answered)
  }

  // MARK: Answers of people

  private func byHand(_ scene: ServerScene, client: AppStoreServerClient? = nil)
    -> ConsumptionDelivery
  {
    let appStore = scene.appStore
    let incidents = scene.incidents
    return ConsumptionDelivery(
      appStore: client ?? scene.client, store: scene.store, now: { appStore.now },
      report: { incidents.add($0) })
  }

  private func outbox(_ scene: ServerScene) -> OutboxDelivery {
    let appStore = scene.appStore
    return OutboxDelivery(
      store: scene.store, handler: byHand(scene), now: { appStore.now }, report: { _ in })
  }

  @Test("without an answerer, a request waits for a person's answer, which is sent once")
  func byHand() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let report = try await outbox(scene).deliverDue()
    #expect((report.delivered, report.failed, report.postponed) == (0, 0, 1))
    #expect(scene.appStore.serverAPIRequests.isEmpty)
    #expect(scene.incidents.all.isEmpty)
    let key = try #require(try await cases(scene, purchase).first?.key)
    try await byHand(scene).propose(.information(Self.granting), to: key)
    // Nobody is asked before the message is delivered, and a second answer replaces the first for who has seen that.
    let first = try await cases(scene, purchase).first?.proposedAnswer
    for other in [nil, "{}"] as [String?] {
      await #expect(throws: ConsumptionDelivery.Failure.answeredElsewhere) {
        try await byHand(scene).propose(.information(Self.declining), to: key, replacing: other)
      }
      await #expect(throws: ConsumptionDelivery.Failure.answeredElsewhere) {
        try await byHand(scene).decline(key, replacing: other)
      }
    }
    try await byHand(scene).propose(.information(Self.declining), to: key, replacing: first)
    #expect(try await cases(scene, purchase).first?.state == .waiting)
    #expect(scene.appStore.serverAPIRequests.isEmpty)
    scene.appStore.clock.advance(by: .seconds(60))
    #expect(try await outbox(scene).deliverDue().delivered == 1)
    let answered = try await cases(scene, purchase).first
    #expect(answered?.state == .answered)
    #expect(answered?.proposedAnswer == nil)
    let decision = try scene.appStore.decideRefund(purchase)
    try await scene.notifications.receive(signedPayload: decision.signedPayload)
    #expect(try await cases(scene, purchase).first?.outcome == "REFUND_DECLINED")
    await #expect(throws: ConsumptionDelivery.Failure.notWaiting) {
      try await byHand(scene).propose(.information(Self.declining), to: key)
    }
    #expect(scene.appStore.serverAPIRequests.count { $0.method == .put } == 1)
  }

  @Test("a person's answer that may have arrived is sent again as it was, and no other one")
  func byHandAgain() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let key = try #require(try await cases(scene, purchase).first?.key)
    try await byHand(scene).propose(.information(Self.declining), to: key)
    scene.appStore.failServerAPI(with: .answerLost(.interrupted), at: "consumption")
    #expect(try await outbox(scene).deliverDue().failed == 1)
    let kept = try await cases(scene, purchase).first
    #expect(kept?.answer != nil)
    #expect(kept.map(byHand(scene).isOpen) == false)
    await #expect(throws: ConsumptionDelivery.Failure.notWaiting) {
      try await byHand(scene).propose(.information(Self.declining), to: key)
    }
    scene.appStore.clock.advance(by: .seconds(600))
    #expect(try await outbox(scene).deliverDue().delivered == 1)
    let answered = try await cases(scene, purchase).first
    #expect(answered?.state == .answered)
    #expect(answered?.answer == kept?.answer)
  }

  @Test(
    "a person's answer that did not arrive is sent later, and one that Apple refuses is forgotten")
  func byHandRefused() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene, ServiceScene.monthly)
    let key = try #require(try await cases(scene, purchase).first?.key)
    // Of a subscription, Apple computes the part that was used.
    var wrong = Self.declining
    wrong.consumptionPercentage = 50_000
    try await byHand(scene).propose(.information(wrong), to: key)
    #expect(try await outbox(scene).deliverDue().failed == 1)
    let waiting = try #require(try await cases(scene, purchase).first)
    #expect((waiting.answer, waiting.proposedAnswer) == (nil, nil))
    #expect(byHand(scene).isOpen(waiting))
    try await byHand(scene).propose(.information(Self.declining), to: key)
    scene.appStore.failServerAPI(
      next: 20, with: .tooManyRequests(retryAfter: nil), at: "consumption")
    scene.appStore.clock.advance(by: .seconds(600))
    _ = try await outbox(scene).deliverDue()
    #expect(try await cases(scene, purchase).first?.proposedAnswer != nil)
    scene.appStore.stopFailingServerAPI()
    scene.appStore.clock.advance(by: .seconds(1200))
    #expect(try await outbox(scene).deliverDue().delivered == 1)
    #expect(try await cases(scene, purchase).first?.state == .answered)
  }

  @Test("a person's answer counts before the host's")
  func byHandFirst() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let key = try #require(try await cases(scene, purchase).first?.key)
    try await byHand(scene).propose(.information(Self.declining), to: key)
    let answerer = TestAnswerer { _ in nil }
    _ = try await delivery(scene, answerer).deliverDue()
    #expect(answerer.all.isEmpty)
    #expect(try await cases(scene, purchase).first?.state == .answered)
  }

  @Test(
    "an answer that a person gives while the host is asked is sent, and not the host's",
    arguments: [true, false])
  func byHandMeanwhile(isAnswered: Bool) async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let key = try #require(try await cases(scene, purchase).first?.key)
    let (person, granting) = (byHand(scene), Self.granting)
    let answerer = BusyAnswerer(answer: isAnswered ? .information(granting) : nil) {
      try await person.propose(.information(Self.declining), to: key)
    }
    #expect(try await delivery(scene, answerer).deliverDue().failed == 1)
    #expect(scene.appStore.serverAPIRequests.allSatisfy { $0.method == .get })
    scene.appStore.clock.advance(by: .seconds(3600))
    #expect(try await delivery(scene, answerer).deliverDue().delivered == 1)
    let answered = try await cases(scene, purchase).first
    #expect(answered?.state == .answered)
    #expect(answered?.answer?.contains("DECLINE") == true)
  }

  /// An answerer while whom a person answers.
  private struct BusyAnswerer: ConsumptionAnswerer {
    let answer: ConsumptionAnswer?
    let act: @Sendable () async throws -> Void

    func answer(to question: ConsumptionQuestion) async throws -> ConsumptionAnswer? {
      try await act()
      return answer
    }
  }

  @Test("a refused key leaves a person's answer, which is sent once the key counts")
  func byHandKey() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let key = try #require(try await cases(scene, purchase).first?.key)
    try await byHand(scene).propose(.information(Self.declining), to: key)
    scene.appStore.failServerAPI(next: 20, with: .unauthenticated, at: "consumption")
    #expect(try await outbox(scene).deliverDue().failed == 1)
    #expect(try await cases(scene, purchase).first?.proposedAnswer != nil)
    scene.appStore.stopFailingServerAPI()
    scene.appStore.clock.advance(by: .seconds(3600))
    #expect(try await outbox(scene).deliverDue().delivered == 1)
    #expect(try await cases(scene, purchase).first?.state == .answered)
  }

  @Test(
    "an answerer that postpones leaves a request to a person, whose answer does not wait so long")
  func postponed() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let key = try #require(try await cases(scene, purchase).first?.key)
    let answerer = BusyAnswerer(answer: nil) { throw Tomorrow() }
    #expect(try await delivery(scene, answerer).deliverDue().postponed == 1)
    try await byHand(scene).propose(.information(Self.declining), to: key)
    scene.appStore.clock.advance(by: .seconds(60))
    #expect(try await delivery(scene, answerer).deliverDue().delivered == 1)
    #expect(try await cases(scene, purchase).first?.state == .answered)
  }

  private struct Tomorrow: OutboxFailure {
    var disposition: OutboxDisposition { .postpone(.days(1)) }
  }

  @Test("a person may have nothing sent")
  func declinedByHand() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let key = try #require(try await cases(scene, purchase).first?.key)
    try await byHand(scene).decline(key)
    #expect(try await cases(scene, purchase).first?.state == .declined)
    #expect(try await outbox(scene).deliverDue().delivered == 1)
    #expect(scene.appStore.serverAPIRequests.isEmpty)
    await #expect(throws: ConsumptionDelivery.Failure.notWaiting) {
      try await byHand(scene).decline(key)
    }
  }

  @Test("a person's answer is not taken after the deadline, nor where there is no client")
  func byHandLate() async throws {
    let scene = try await ServerScene()
    let purchase = try await asked(scene)
    let key = try #require(try await cases(scene, purchase).first?.key)
    let appStore = scene.appStore
    let nobody = ConsumptionDelivery(store: scene.store, now: { appStore.now })
    let question = try #require(try await cases(scene, purchase).first)
    #expect(!nobody.isOpen(question))
    #expect(byHand(scene).isOpen(question))
    await #expect(throws: ConsumptionDelivery.Failure.notWaiting) {
      try await nobody.propose(.information(Self.declining), to: key)
    }
    // A form that another store takes is refused.
    await #expect(throws: ConsumptionDelivery.Failure.otherStore) {
      try await byHand(scene).propose(
        .review(OrdersReviewRefundRequest(refundPreference: .decline, sampleContentProvided: true)),
        to: key)
    }
    scene.appStore.clock.advance(by: .seconds(12 * 3600))
    await #expect(throws: ConsumptionDelivery.Failure.notWaiting) {
      try await byHand(scene).propose(.information(Self.declining), to: key)
    }
    _ = try await outbox(scene).deliverDue()
    #expect(try await cases(scene, purchase).first?.state == .missed)
  }
}
