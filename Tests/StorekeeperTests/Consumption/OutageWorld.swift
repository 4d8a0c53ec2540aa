import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting

/// Both stores and a server that answers their questions about refunds, for five days with outages of six hours.
///
/// Time is that of one clock, which only this world moves.
final class OutageWorld: Sendable {
  /// What fails for six hours.
  enum Outage: CaseIterable {
    /// Apple's API cannot be reached.
    case apple
    /// Google's API fails.
    case google
    /// The server does not run: nothing arrives, and nothing is delivered.
    case server
    /// The stores take what is sent, and their answers are lost.
    case answers
  }

  /// A question, by what names it in an answer.
  struct Question {
    let id: String
    let vendor: Vendor
    /// In seconds from the start.
    let asked: Double
  }

  /// An answer that a store took.
  struct Answer {
    let time: Double
    let body: [UInt8]
  }

  static let days = 5
  /// The time between two looks at the outbox, as in the example server, and that between two looks while everything
  /// that waits has failed before, in seconds.
  private static let (interval, pause) = (5.0, 300.0)

  let clock = ManualClock()
  let appStore: AppStoreSimulator
  let play: PlayStoreSimulator
  let store = InMemoryPurchaseStore()
  let answerer = TestAnswerer { question in
    OutageWorld.answer(to: question)
  }

  private let outages: [(outage: Outage, start: Double)]
  private let taken = Locked<[String: [Answer]]>([:])
  private let sold: [TestPlayPurchase]

  init(seed: UInt64) throws {
    var chance = SeededChance(seed: seed)
    let clock = clock
    appStore = try AppStoreSimulator(bundleID: ServiceScene.bundleID) {
      $0.authority = ServiceScene.authority
      $0.start = OrderScene.start
      $0.clock = clock
    }
    let play = try PlayStoreSimulator(packageName: PlayScene.packageName) {
      $0.serviceAccount = PlayScene.account
      $0.pushKey = PlayScene.pushKey
      $0.pushes.url = PlayScene.audience
      $0.pushes.email = PlayScene.email
      $0.start = OrderScene.start
      $0.clock = clock
    }
    self.play = play
    sold = try (0..<4).map { number in
      // Only questions are pushed.
      play.loseNotifications(next: 1)
      let owner = "owner-\(number)"
      return try play.acknowledge(
        number % 2 == 0
          ? play.buy("reader_lifetime", by: owner) : play.subscribe("reader_standard", by: owner))
    }
    // One on each day but one, so that none runs into another.
    outages = zip(Outage.allCases, (0..<Self.days).shuffled(using: &chance)).map { outage, day in
      (outage, Double(day * 86_400 + chance.roll(18 * 3600)))
    }
  }

  var time: Double { play.now.timeIntervalSince(OrderScene.start) }

  /// Whether something fails now.
  func fails(_ outage: Outage) -> Bool {
    let time = time
    return outages.contains { $0.outage == outage && ($0.start..<$0.start + 21_600).contains(time) }
  }

  private var end: Double {
    outages.first { $0.outage == .server }.map { $0.start + 21_600 } ?? 0
  }

  /// The answers that the stores took, by their questions.
  var answers: [String: [Answer]] { taken.withLock { $0 } }

  private func note(_ id: String, _ body: [UInt8]) {
    let answer = Answer(time: time, body: body)
    taken.withLock { $0[id, default: []].append(answer) }
  }

  /// An answer that no other question gets.
  private static func answer(to question: ConsumptionQuestion) -> ConsumptionAnswer {
    let number = Int.random(in: 1...99_999)
    switch question.purchase {
    case .apple:
      var request = ConsumptionRequest(
        customerConsented: true, deliveryStatus: .delivered, sampleContentProvided: false)
      request.consumptionPercentage = number
      return .information(request)
    case .google:
      var review = OrdersReviewRefundRequest(
        refundPreference: .neutral, sampleContentProvided: false)
      review.consumptionPercentageMilliunits = number
      return .review(review)
    }
  }

  // MARK: The network

  /// The way to one store, which fails in outages, and on which the answers are seen that it takes.
  struct Line: HTTPTransport {
    let world: OutageWorld
    let vendor: Vendor

    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      if vendor == .apple, world.fails(.apple) { throw HTTPTransportFailure(.notConnected) }
      if vendor == .google, world.fails(.google) {
        return HTTPResponseMessage(status: .serviceUnavailable)
      }
      let base: any HTTPTransport = vendor == .apple ? world.appStore : world.play
      let response = try await base.send(request)
      guard request.method != .get, let id = Self.question(in: request) else { return response }
      if response.status.isSuccess { world.note(id, request.body) }
      if world.fails(.answers) { throw HTTPTransportFailure(.interrupted) }
      return response
    }

    /// The question that a request answers; nil for another request.
    private static func question(in request: HTTPRequestMessage) -> String? {
      if request.url.contains("/transactions/consumption/") {
        return request.url.split(separator: "/").last.map(String.init)
      }
      guard request.url.hasSuffix(":reviewrefund"),
        case .string(let token)? = (try? JSONValue(parsing: request.body))?["pendingRefundToken"]
      else { return nil }
      return token
    }
  }

  // MARK: The server

  private struct Server {
    let notifications: NotificationService
    let playNotifications: PlayNotificationService
    let recovery: NotificationRecovery
    let delivery: OutboxDelivery
  }

  private func server() throws -> Server {
    let (appStore, play, store) = (appStore, play, store)
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: ServiceScene.bundleID, appAppleID: appStore.appAppleID)],
      environments: [.production, .sandbox],
      trustAnchors: [appStore.signedDataAuthority.trustAnchor], now: { appStore.now })
    let context = PurchaseContext(
      store: store, accounts: UnlistedAccounts(), verifier: verifier, now: { play.now },
      report: { _ in })
    let apple = try ServerScene.client(
      of: appStore, Line(world: self, vendor: .apple), verifier)
    let google = try PlayScene.client(of: play, Line(world: self, vendor: .google))
    let notifications = try NotificationService(context)
    return Server(
      notifications: notifications,
      playNotifications: try PlayNotificationService(
        context, play: google,
        tokens: PushTokenVerifier(
          configuration: .init(audience: PlayScene.audience, email: PlayScene.email),
          transport: play, now: { play.now })),
      recovery: NotificationRecovery(notifications: notifications, appStore: apple),
      delivery: OutboxDelivery(
        store: store,
        handler: ConsumptionDelivery(
          appStore: apple, play: google, answerer: answerer, store: store, now: { play.now },
          report: { _ in }),
        now: { play.now }, report: { _ in }))
  }

  // MARK: The story

  /// Lets the stores ask so many questions at random times, and returns them once all have been answered.
  func run(questions count: Int, seed: UInt64) async throws -> [Question] {
    var chance = SeededChance(seed: seed &+ 1000)
    let server = try server()
    let times = (0..<count).map { _ in Double(chance.roll(Self.days * 86_400)) }.sorted()
    var apples: [Question] = []
    var settled = 0
    // The server starts again once, and then sees what it has missed.
    var restart: Double? = end
    var next = 0
    var look = Double.infinity
    while next < times.count || settled < count, time < Double(2 * Self.days * 86_400) {
      let asking = next < times.count ? times[next] : .infinity
      pass(to: min(asking, look, restart ?? .infinity))
      if let start = restart, time >= start {
        restart = nil
        try await push(to: server)
        _ = try await server.recovery.recover(.production, since: OrderScene.start)
        look = time
      }
      if time >= asking {
        next += 1
        if let question = try await ask(&chance, server) {
          apples.append(question)
        } else if !fails(.server) {
          try await push(to: server)
        }
        look = min(look, (time / Self.interval).rounded(.down) * Self.interval + Self.interval)
      }
      guard !fails(.server) else {
        look = .infinity
        continue
      }
      if time >= look {
        settled += try await server.delivery.deliverDue().delivered
        look = settled < next ? time + Self.pause : .infinity
      }
    }
    let googles = play.refundReviews.map { review in
      Question(
        id: review.pendingRefundToken, vendor: .google,
        asked: review.asked.timeIntervalSince(OrderScene.start))
    }
    return apples + googles
  }

  private func push(to server: Server) async throws {
    try await play.deliverPushes(by: PushReceiver(notifications: server.playNotifications))
  }

  private func pass(to time: Double) {
    if time > self.time { clock.advance(by: .seconds(time - self.time)) }
  }

  /// Lets a store ask, and returns Apple's question.
  ///
  /// Google pushes again what a server misses that does not run; Apple's next attempts may come too late.
  private func ask(_ chance: inout SeededChance, _ server: Server) async throws -> Question? {
    if chance.roll(2) == 0 {
      let purchase = try appStore.buy("reader.coffee", by: "customer-\(chance.roll(50))")
      if fails(.server) { appStore.loseNotifications() }
      let asked = try appStore.requestRefund(purchase)
      let question = Question(id: purchase.transactionID, vendor: .apple, asked: time)
      guard !fails(.server) else { return question }
      // Now and then Apple does not hear that a notification arrived.
      for _ in 0..<(chance.roll(10) == 0 ? 2 : 1) {
        try await server.notifications.receive(signedPayload: asked.signedPayload)
      }
      return question
    }
    try play.requestRefundReview(of: sold[chance.roll(sold.count)])
    return nil
  }
}
