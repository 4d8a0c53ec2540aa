import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("The limiter", .timeLimit(.minutes(30))) struct LimiterTests {
  /// The times of requests.
  private final class Times: Sendable {
    private let values = Locked<[Duration]>([])
    var all: [Duration] { values.withLock { $0 } }
    func add(_ time: Duration) { values.withLock { $0.append(time) } }
  }

  private static func client(
    _ clock: ManualClock, _ limiter: RequestLimiter, bundleID: String = ClientScene.bundleID,
    _ answer: @escaping ScriptedTransport.Answer
  ) throws -> AppStoreServerClient {
    let parts = try ClientScene.shared.get()
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: bundleID, appAppleID: 1)], environments: .auto,
      trustAnchors: [try parts.authority.trustAnchor])
    var configuration = AppStoreServerClient.Configuration()
    configuration.limiter = limiter
    configuration.clock = clock
    configuration.now = { ClientScene.begin.addingTimeInterval(clock.now.elapsed / .seconds(1)) }
    configuration.chance = { 0 }
    return try AppStoreServerClient(
      key: try SigningKey(pem: parts.pem, keyID: ClientScene.keyID),
      issuerID: ClientScene.issuerID, bundleID: bundleID, verifier: verifier,
      transport: ScriptedTransport(answer), configuration: configuration)
  }

  /// Moves a clock in small steps until a task has ended; it stands still until what does not wait has happened.
  private static func run<Value: Sendable>(
    _ clock: ManualClock, _ step: Duration, once hasBegun: () -> Bool = { true },
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let isDone = Locked(false)
    let task = Task {
      defer { isDone.withLock { $0 = true } }
      return try await work()
    }
    while !isDone.withLock({ $0 }) {
      for _ in 0..<20 { await Task.yield() }
      try await Task.sleep(for: .microseconds(200))
      try Task.checkCancellation()
      if hasBegun() { clock.advance(by: step) }
    }
    return try await task.value
  }

  static let lanes: [(AppStoreServerEndpoint, AppStoreEnvironment, Int, Duration)] = [
    // At most so many in a window.
    (.transactionInfo, .production, 50, .seconds(1)), (.transactionInfo, .sandbox, 5, .seconds(1)),
    (.setAppAccountToken, .production, 20, .seconds(1)),
    (.setAppAccountToken, .sandbox, 2, .seconds(1)),
    (.configureDefaultMessage, .production, 10, .seconds(1)),
    (.configureDefaultMessage, .sandbox, 1, .seconds(1)),
    (.cancelSubscription, .production, 5, .seconds(1)),
    (.cancelSubscription, .sandbox, 1, .seconds(2)),
    (.deleteImage, .production, 1, .seconds(1)), (.deleteImage, .sandbox, 1, .seconds(10)),
    (.requestTestNotification, .sandbox, 1, .seconds(10)),
  ]

  @Test("Two clients together stay below the documented rate", arguments: lanes)
  func rate(
    _ endpoint: AppStoreServerEndpoint, _ environment: AppStoreEnvironment, _ count: Int,
    _ window: Duration
  ) async throws {
    let clock = ManualClock()
    let limiter = RequestLimiter(clock: clock)
    let times = Times()
    let call = try SampleCall.of(endpoint)
    let answer = try call.answer(environment)
    let send: ScriptedTransport.Answer = { _, _ in
      times.add(clock.now.elapsed)
      return HTTPResponseMessage(status: 200, body: Array(answer.utf8))
    }
    let clients = [
      try Self.client(clock, limiter, send), try Self.client(clock, limiter, send),
    ]
    let total = min(count * 3 + 1, 120)
    let configured = try await Self.run(clock, window / 20, once: { times.all.count >= count }) {
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<total {
          group.addTask {
            // The transactions are of the scenes' app number; only the requests count here.
            try? await call.run(clients[number % 2], environment)
          }
        }
      }
      return total
    }
    let all = times.all.sorted()
    #expect(all.count == configured)
    // On a busy machine a request may be noted late, but never before its window.
    for (index, time) in all.enumerated() { #expect(time >= window * (index / count)) }
    // The first ones don't wait.
    #expect(all.prefix(count).allSatisfy { $0 == .zero })
  }

  @Test("A share that is no whole number of requests holds in every second")
  func share() async throws {
    let clock = ManualClock()
    let limiter = RequestLimiter(share: 0.25, clock: clock)
    let times = Times()
    let client = try Self.client(clock, limiter) { _, _ in
      times.add(clock.now.elapsed)
      return HTTPResponseMessage(status: 200)
    }
    _ = try await Self.run(clock, .milliseconds(20)) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<40 {
          group.addTask { try await client.finishTransaction("1", in: .production) }
        }
        try await group.waitForAll()
      }
    }
    let all = times.all.sorted()
    // 12.5 a second.
    for time in all {
      #expect(all.filter { $0 >= time && $0 < time + .milliseconds(750) }.count <= 12)
    }
    #expect(all.count == 40)
  }

  @Test("The documented rates are those of the rules")
  func documentedRates() {
    let rates: [Double: Set<AppStoreServerEndpoint>] = [
      50: [
        .transactionHistory, .transactionInfo, .appTransactionInfo, .allSubscriptionStatuses,
        .finishTransaction, .sendConsumptionInformation, .sendConsumptionData,
        .notificationHistory, .changeSubscriptionMetadata, .changeSubscriptionPrice,
        .migrateSubscription,
      ],
      20: [.setAppAccountToken, .extendSubscriptionRenewalDate],
      10: [.refundHistory, .lookUpOrderID, .configureDefaultMessage],
      5: [.cancelSubscription, .revokeSubscription, .requestTransactionRefund],
    ]
    let unlimited: Set<AppStoreServerEndpoint> = [
      .statusOfSubscriptionRenewalDateExtensions, .currentGroups, .groupMembers,
      .sendExternalPurchaseReport, .externalPurchaseReport,
    ]
    for endpoint in AppStoreServerEndpoint.allCases {
      let rate = rates.first { $0.value.contains(endpoint) }?.key
      #expect(endpoint.documentedRate == (unlimited.contains(endpoint) ? nil : rate ?? 1))
    }
  }

  @Test("Settings: a rate of one's own, no limit, and a call without a documented rate")
  func settings() async throws {
    func waits(_ limiter: RequestLimiter, _ clock: ManualClock, _ count: Int) async throws -> Bool {
      let client = try Self.client(clock, limiter) { _, _ in HTTPResponseMessage(status: 200) }
      for _ in 0..<count {
        do throws(AppStoreServerFailure) {
          try await client.finishTransaction("1", in: .production, patience: .milliseconds(1))
        } catch {
          guard case .limited = error.reason else { throw error }
          return true
        }
      }
      return false
    }
    let clock = ManualClock()
    #expect(try await waits(RequestLimiter(clock: clock), clock, 50) == false)
    #expect(try await waits(RequestLimiter(clock: clock), clock, 51))
    #expect(
      try await waits(RequestLimiter(rates: [.finishTransaction: 3], clock: clock), clock, 4))
    #expect(
      try await waits(RequestLimiter(rates: [.finishTransaction: 0], clock: clock), clock, 500)
        == false)
    #expect(try await waits(RequestLimiter(isLimiting: false, clock: clock), clock, 500) == false)
    #expect(try await waits(RequestLimiter(share: 0.5, clock: clock), clock, 26))
    #expect(try await waits(RequestLimiter(share: .nan, clock: clock), clock, 50) == false)
    #expect(try await waits(RequestLimiter(share: -1, clock: clock), clock, 51))
  }

  @Test("Who has less patience than the wait learns the date, and takes no turn")
  func impatient() async throws {
    let clock = ManualClock()
    let limiter = RequestLimiter(clock: clock)
    let sent = Times()
    let client = try Self.client(clock, limiter) { _, _ in
      sent.add(clock.now.elapsed)
      return HTTPResponseMessage(status: 200)
    }
    try await client.deleteImage(SampleCall.uuid, in: .sandbox)
    for _ in 0..<5 {
      let failure = try await failure {
        try await client.deleteImage(SampleCall.uuid, in: .sandbox, patience: .seconds(9))
      }
      #expect(failure.reason.name == "limited")
      #expect(failure.retry == .notBefore(ClientScene.begin.addingTimeInterval(10)))
    }
    clock.advance(by: .seconds(10))
    // Nothing was reserved by those who left.
    try await client.deleteImage(SampleCall.uuid, in: .sandbox, patience: .milliseconds(1))
    #expect(sent.all == [.zero, .seconds(10)])
  }

  @Test("A 429 pauses the call and app for everyone, and nothing else")
  func pause() async throws {
    let clock = ManualClock()
    let limiter = RequestLimiter(isLimiting: false, clock: clock)
    let first = try Self.client(clock, limiter) { _, _ in
      try ScriptedAnswer.code(4_290_000, ["Retry-After": "1793491230250"]).get()
    }
    _ = try await failure {
      try await first.finishTransaction("1", in: .production, patience: .seconds(5))
    }
    let good: ScriptedTransport.Answer = { _, _ in HTTPResponseMessage(status: 200) }
    let second = try Self.client(clock, limiter, good)
    let held = try await failure {
      try await second.finishTransaction("1", in: .production, patience: .seconds(29))
    }
    #expect(held.reason.name == "limited")
    #expect(held.retry == .notBefore(ClientScene.begin.addingTimeInterval(30)))
    let soon = Duration.milliseconds(1)
    // The other environment, another call and another app go on.
    try await second.finishTransaction("1", in: .sandbox, patience: soon)
    try await second.deleteRealtimeURL(in: .production, patience: soon)
    let other = try Self.client(clock, limiter, bundleID: "com.example.other", good)
    try await other.finishTransaction("1", in: .production, patience: soon)
    clock.advance(by: .seconds(30))
    try await second.finishTransaction("1", in: .production, patience: soon)
  }

  @Test("Those whom a pause held back go on at the documented rate")
  func afterPause() async throws {
    let clock = ManualClock()
    let limiter = RequestLimiter(clock: clock)
    let times = Times()
    let client = try Self.client(clock, limiter) { _, number in
      times.add(clock.now.elapsed)
      // The first answer pauses everyone for 30 seconds, when the others have their turns.
      if number == 1 { try await clock.sleep(for: .milliseconds(500)) }
      return try number == 1
        ? ScriptedAnswer.code(4_290_000, ["Retry-After": "1793491230250"]).get()
        : HTTPResponseMessage(status: 200)
    }
    _ = try await Self.run(clock, .milliseconds(250)) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<6 {
          group.addTask {
            try await client.deleteRealtimeURL(in: .production, patience: .seconds(600))
          }
        }
        try await group.waitForAll()
      }
    }
    let all = times.all.sorted()
    #expect(all.count == 7)
    for (one, other) in zip(all, all.dropFirst()) { #expect(other - one >= .milliseconds(500)) }
    #expect(all.dropFirst().first.map { $0 >= .seconds(30) } == true)
  }
}
