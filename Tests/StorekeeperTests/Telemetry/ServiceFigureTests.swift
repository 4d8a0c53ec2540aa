import Foundation
import HTTPMessages
import InMemoryStorage
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import StorekeeperCrypto
import StorekeeperFixtures
import StorekeeperLocks
import StorekeeperTesting
import Testing

@testable import Storekeeper

@Suite("What services tell of verifications, notifications, jobs and deliveries")
struct ServiceFigureTests {
  private struct Fault: Error {}

  private let diary = TelemetryDiary()

  /// A notification service whose context has the diary.
  private func told(_ scene: NotificationScene) throws -> NotificationService {
    var context = scene.service.context
    context.telemetry = diary
    return try NotificationService(
      context, subscriptions: scene.service.subscriptions,
      passwords: [scene.scene.appStore.sharedSecret].compactMap(\.self))
  }

  private var notifications: [TelemetryDiary.Ended] {
    diary.ended { if case .notification = $0 { true } else { false } }
  }

  @Test("a notification of version 2: recorded, repeated, and not authentic")
  func notifications2() async throws {
    let scene = try await NotificationScene()
    let service = try told(scene)
    let purchase = try scene.scene.appStore.buy(ServiceScene.monthly)
    let token = try scene.signed(
      .subscribed, scene.transaction(purchase, expires: ServiceScene.start + 30 * 86_400))
    try await service.receive(signedPayload: token)
    try await service.receive(body: Array(#"{"signedPayload":"\#(token)"}"#.utf8))
    let cut = token.dropLast(4) + "AAAA"
    await #expect(throws: NotificationFailure.self) {
      try await service.receive(signedPayload: String(cut))
    }
    #expect(notifications.map(\.work) == Array(repeating: .notification(.apple), count: 3))
    #expect(notifications.map(\.result.outcome) == [.succeeded, .repeated, .refused])
    #expect(
      notifications.map(\.result.reason) == [nil, nil, "notAuthentic, signatureInvalid"])
    #expect(
      notifications.map(\.result.detail) == [
        .notification(type: "SUBSCRIBED"), .notification(type: "SUBSCRIBED"),
        .notification(type: nil),
      ])
  }

  @Test("a notification of version 1 with a wrong password, and one whose receipt Apple verifies")
  func notifications1() async throws {
    let scene = try await NotificationScene()
    let service = try told(scene)
    let purchase = try await scene.scene.bought()
    await #expect(throws: NotificationFailure.wrongPassword) {
      try await service.receive(
        scene.notificationV1(.didRenew, about: purchase) { $0.password = "wrong" })
    }
    try await service.receive(scene.notificationV1(.didRenew, about: purchase))
    #expect(notifications.map(\.result.outcome) == [.refused, .succeeded])
    #expect(notifications.map(\.result.reason) == ["wrongPassword", nil])
    let verifications = diary.ended { $0 == .verification(.receipt) }
    #expect(verifications.map(\.result.outcome) == [.succeeded])
    // The verification and the units of work are parts of the notification.
    let notification = try #require(notifications.last)
    #expect(verifications.map(\.span.parentID) == [notification.span.id])
    #expect(Set(diary.begun) == Set(diary.ended.map(\.span)))
  }

  @Test(
    "a verification: a wrong shared secret, an outage, and a bad receipt differ",
    arguments: [
      (21_004, TelemetryOutcome.failed, "sharedSecretMismatch"),
      (21_005, .unavailable, "serverUnavailable"), (21_003, .refused, "notAuthenticated"),
    ])
  func verifications(status: Int, outcome: TelemetryOutcome, reason: String) async throws {
    var configuration = VerifyReceiptClient.Configuration.subscriptionService
    configuration.retries.attempts = 1
    let client = try VerifyReceiptClient(
      transport: OneStatus(status: status), bundleIDs: ["com.example.reader"],
      sharedSecret: AppSharedSecret("0123456789abcdef0123456789abcdef"),
      configuration: configuration)
    var context = PurchaseContext(store: InMemoryPurchaseStore(), accounts: UnlistedAccounts())
    context.telemetry = diary
    let verifier = EvidenceVerifier(context, appStore: client)
    await #expect(throws: EvidenceFailure.self) {
      _ = try await verifier.facts(of: .receipt(Data("a receipt".utf8).base64EncodedString()))
    }
    let ended = diary.ended { $0 == .verification(.receipt) }
    #expect(ended.map(\.result.outcome) == [outcome])
    #expect(ended.map(\.result.reason) == [reason])
  }

  private var tokens: [TelemetryDiary.Ended] {
    diary.ended { $0 == .verification(.purchaseToken) }
  }

  @Test("purchase tokens that are ordered: of a subscription, a product, and nothing")
  func orderedTokens() async throws {
    let scene = try await PlayScene()
    var vendor = GoogleVendor(scene.client)
    vendor.telemetry = diary
    let sent = [
      try scene.play.subscribe("basic_monthly").purchaseToken,
      try scene.play.buy("gold_theme").purchaseToken, "unknown",
    ]
    for token in sent {
      _ = await vendor.report(on: token, for: .order, at: scene.play.now)
    }
    #expect(tokens.map(\.result.outcome) == [.succeeded, .succeeded, .refused])
    #expect(tokens.map(\.result.reason) == [nil, nil, "invalid"])
  }

  @Test("a purchase token for credits, and an outage of Google's")
  func creditTokens() async throws {
    let scene = try await PlayCreditScene()
    let isAway = Locked(false)
    let transport = ChangedAnswers(base: scene.play) { _, response in
      if isAway.withLock({ $0 }) { response = HTTPResponseMessage(status: .serviceUnavailable) }
    }
    var context = scene.credits.context
    context.telemetry = diary
    let credits = try CreditService(
      context, products: scene.credits.products,
      googlePlay: try PlayScene.client(of: scene.play, transport))
    let bought = try scene.play.buy("gems_big")
    _ = try await credits.grant(purchaseToken: bought.purchaseToken, of: "big_pack", to: "u1")
    // Nobody handed this one over, and it may be a subscription's.
    #expect(try await credits.follow(purchaseToken: bought.purchaseToken))
    isAway.withLock { $0 = true }
    await #expect(throws: CreditFailure.self) {
      try await credits.grant(purchaseToken: bought.purchaseToken, of: "big_pack", to: "u1")
    }
    #expect(tokens.map(\.result.outcome) == [.succeeded, .unavailable])
    #expect(tokens.map(\.result.reason) == [nil, "backend"])
  }

  @Test("jobs, with their outcome, and the work in a run as a part of it")
  func jobs() async throws {
    let clock = ManualClock()
    var context = PurchaseContext(
      store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(), report: { _ in })
    context.telemetry = diary
    let store = context.store
    let work = BackgroundWork(
      context,
      [
        BackgroundJob("good", every: .seconds(60)) { try await store.write { _ in } },
        BackgroundJob("bad", every: .seconds(60)) { throw Fault() },
      ], clock: clock)
    let task = Task { await work.run() }
    await clock.sleepers(reach: 2)
    task.cancel()
    await task.value
    let good = try #require(diary.ended { $0 == .job("good") }.first)
    #expect(good.result.outcome == .succeeded)
    #expect(diary.ended { $0 == .job("bad") }.map(\.result.outcome) == [.failed])
    let unit = try #require(diary.ended { $0 == .unitOfWork(isWriting: true) }.first)
    #expect(unit.span.parentID == good.span.id)
    #expect(unit.span.traceID == good.span.traceID)
    #expect(diary.facts == [.incident("jobFailed")])
  }

  @Test("jobs of one name and several scopes are told apart")
  func scopes() async throws {
    let clock = ManualClock()
    var context = PurchaseContext(
      store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(), report: { _ in })
    context.telemetry = diary
    func job(_ app: String, _ environment: AppStoreEnvironment, fails: Bool) -> BackgroundJob {
      BackgroundJob(
        "notifications", every: .seconds(60),
        of: PurchaseScope(vendor: .apple, appID: app, environment: environment)
      ) {
        if fails { throw Fault() }
        return .done
      }
    }
    let work = BackgroundWork(
      context, [job("a", .production, fails: true), job("a", .sandbox, fails: false)],
      clock: clock)
    let task = Task { await work.run() }
    await clock.sleepers(reach: 2)
    task.cancel()
    await task.value
    let outcomes = Dictionary(
      uniqueKeysWithValues: diary.ended.map { ($0.work, $0.result.outcome) })
    #expect(
      outcomes == [
        .job("notifications a Production"): .failed, .job("notifications a Sandbox"): .succeeded,
      ])
  }

  @Test("the end of a root is told until it is past")
  func ends() throws {
    let root = try TrustAnchor(certificate: TestAuthority.forReceipts().root.der)
    func told(at moment: Date) throws -> Date? {
      let verifier = try SignedDataVerifier(
        apps: [App(bundleID: "any")], environments: [.sandbox], trustAnchors: [root],
        now: { moment })
      return verifier.earliestRootEnd
    }
    let first = try told(at: Date(timeIntervalSince1970: 0))
    let end = try #require(first)
    #expect(try told(at: end - 1) == end)
    #expect(try told(at: end) == nil)
  }

  @Test("deliveries, with what becomes of the message")
  func deliveries() async throws {
    let store = InMemoryPurchaseStore()
    let now = Date(timeIntervalSince1970: 1_700_000_000)
    try await store.write { unit in
      for kind in ["good", "bad", "parked"] {
        try await unit.outbox.add(
          OutboxMessage(
            kind: OutboxMessage.Kind(rawValue: kind), originalTransactionID: "1", reference: kind),
          now: now)
      }
    }
    var delivery = OutboxDelivery(
      store: store, handler: Handler(), now: { now }, report: { _ in })
    delivery.telemetry = diary
    let report = try await delivery.deliverDue()
    #expect(report == OutboxDelivery.Report(delivered: 1, failed: 1, parked: 1))
    let outcomes = Dictionary(
      uniqueKeysWithValues: diary.ended.map { ($0.work, $0.result.outcome) })
    func outcome(_ kind: String) -> TelemetryOutcome? {
      outcomes[.delivery(OutboxMessage.Kind(rawValue: kind))]
    }
    #expect(outcomes.count == 3)
    #expect(outcome("good") == .succeeded)
    #expect(outcome("bad") == .failed)
    #expect(outcome("parked") == .parked)
  }

  private struct OneStatus: HTTPTransport {
    let status: Int

    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      HTTPResponseMessage(status: .ok, body: Array(#"{"status":\#(status)}"#.utf8))
    }
  }

  private struct Handler: OutboxHandler {
    func deliver(_ message: OutboxMessage, number: Int) async throws {
      switch message.kind.rawValue {
      case "bad": throw Fault()
      case "parked": throw Parking()
      default: break
      }
    }
  }

  private struct Parking: OutboxFailure {
    var disposition: OutboxDisposition { .park(ParkingReason(.reportRefused)) }
  }
}
