import Foundation
import GooglePlayVerifier
import HTTPMessages
import StorekeeperFixtures
import StorekeeperTesting
import Testing

@Suite("Repeated requests to the Play store")
struct RetryTests {
  private static let good = ScriptedAnswer.status(200, "{}")
  private static let refused = ScriptedAnswer.error(401, "authError", "UNAUTHENTICATED")

  // MARK: Access tokens

  @Test("401 authError: the token is dropped, and one more is tried")
  func secondToken() async throws {
    let scene = try await PlayScene([Self.refused, Self.good])
    _ = try await scene.client.subscription(token: "t")
    #expect(
      scene.play.requests.map { $0.headers[.authorization] } == [
        "Bearer token-1", "Bearer token-2",
      ])
    #expect(scene.tokenServer.requests.count == 2)
  }

  @Test("401 authError twice is the failure, and the next call begins anew")
  func refusedTwice() async throws {
    let scene = try await PlayScene([Self.refused])
    let first = try await failure { try await scene.client.subscription(token: "t") }
    #expect(first.kind == .credentials)
    guard case .unauthorized = first else {
      Issue.record("\(first)")
      return
    }
    #expect(scene.play.requests.count == 2)
    #expect(scene.tokenServer.requests.count == 2)
    _ = try await failure { try await scene.client.subscription(token: "t") }
    #expect(scene.play.requests.count == 4)
    #expect(scene.tokenServer.requests.count == 3)
  }

  @Test("401 permissionDenied: no other token, and no other request")
  func permissionDenied() async throws {
    let scene = try await PlayScene([.error(401, "permissionDenied")])
    _ = try await failure { try await scene.client.subscription(token: "t") }
    #expect(scene.play.requests.count == 1)
    #expect(scene.tokenServer.requests.count == 1)
  }

  @Test("twenty calls that are refused at once ask for one more token")
  func refusedAtOnce() async throws {
    let scene = try await PlayScene(
      ScriptedTransport { request, _ in
        try request.headers[.authorization] == "Bearer token-1"
          ? Self.refused.get() : Self.good.get()
      })
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { _ = try await scene.client.subscription(token: "t") } }
      try await group.waitForAll()
    }
    #expect(scene.tokenServer.requests.count == 2)
  }

  @Test("an acknowledgement is repeated with another token too")
  func acknowledgement() async throws {
    let scene = try await PlayScene([Self.refused, .status(200)])
    try await scene.client.acknowledgeSubscription("pro", token: "t")
    #expect(scene.play.requests.count == 2)
  }

  // MARK: Pauses

  @Test(
    "a failure of Google or of the connection is tried again after growing pauses",
    arguments: [
      .error(500, "backendError"), .status(503), .fails(.notConnected), .fails(.interrupted),
      .fails(.timedOut),
    ] as [ScriptedAnswer])
  func growingPauses(answer: ScriptedAnswer) async throws {
    let scene = try await PlayScene([answer])
    async let failure = failure { try await scene.client.subscription(token: "t") }
    await scene.pass([.milliseconds(500), .seconds(1), .seconds(2)])
    #expect(try await failure.isIncidental)
    #expect(scene.play.requests.count == 4)
  }

  @Test("chance shortens a pause to a half at most", arguments: [(0.5, 375), (1.0, 250)])
  func jitter(chance: Double, milliseconds: Int) async throws {
    let scene = try await PlayScene([.status(503), Self.good], chance: chance)
    async let purchase = scene.client.subscription(token: "t")
    await scene.pass([.milliseconds(milliseconds)])
    _ = try await purchase
    #expect(scene.play.requests.count == 2)
  }

  @Test("each call may be repeated", arguments: 0..<6)
  func calls(index: Int) async throws {
    let scene = try await PlayScene([.status(503), Self.good])
    async let done: Void = {
      switch index {
      case 0: _ = try await scene.client.subscription(token: "t")
      case 1: _ = try await scene.client.product(token: "t")
      case 2: try await scene.client.acknowledgeSubscription("p", token: "t")
      case 3: try await scene.client.acknowledgeProduct("p", token: "t")
      case 4: try await scene.client.consumeProduct("p", token: "t")
      default: for try await _ in scene.client.voidedPurchases(from: PlayScene.begin - 60) {}
      }
    }()
    await scene.pass([.milliseconds(500)])
    try await done
    #expect(scene.play.requests.count == 2)
  }

  @Test(
    "what cannot get better is not tried again",
    arguments: [
      .error(400, "invalid"), .error(403, "projectNotLinked"), .error(403, "accessNotConfigured"),
      .error(404, "notFound"), .error(410, "purchaseTokenNoLongerValid"), .status(302),
      .status(200, "<html>"), .fails(.untrustedPeer), .fails(.invalidRequest),
      .fails(.responseTooLarge), .error(429, "rateLimitExceeded"), .error(403, "quotaExceeded"),
    ] as [ScriptedAnswer])
  func noSecondRequest(answer: ScriptedAnswer) async throws {
    let scene = try await PlayScene([answer])
    _ = try await failure { try await scene.client.subscription(token: "t") }
    #expect(scene.play.requests.count == 1)
  }

  @Test("a failure of the token server is tried again")
  func tokenServer() async throws {
    let scene = try await PlayScene(
      [Self.good], tokenAnswers: [.status(503), PlayScene.token("token-2")], hasToken: false)
    async let purchase = scene.client.subscription(token: "t")
    // The time limit of the request for a token may sleep on the clock too.
    while scene.tokenServer.requests.count < 2 {
      scene.clock.advance(by: .milliseconds(1))
      await Task.yield()
    }
    _ = try await purchase
    #expect(scene.play.requests.map { $0.headers[.authorization] } == ["Bearer token-2"])
  }

  // MARK: Retry-After

  @Test(
    "a pause that Google names is kept, in seconds or as a date",
    arguments: [
      (429, "5", Duration.seconds(5)), (503, "5", .seconds(5)),
      // A pause of Google's that is shorter than ours does not shorten ours.
      (503, "0", .milliseconds(500)),
      (429, "Sun, 01 Nov 2026 00:00:07 GMT", .seconds(7)),
    ])
  func retryAfter(status: Int, value: String, pause: Duration) async throws {
    let scene = try await PlayScene([.status(status, "", headers: [.retryAfter: value]), Self.good])
    async let purchase = scene.client.subscription(token: "t")
    await scene.pass([pause])
    _ = try await purchase
    #expect(scene.play.requests.count == 2)
  }

  @Test(
    "a pause beyond the patience is told instead",
    arguments: [
      ("60", PlayScene.begin.addingTimeInterval(60)),
      ("3600", PlayScene.begin.addingTimeInterval(3600)),
      ("Sun, 01 Nov 2026 01:00:00 GMT", PlayScene.begin.addingTimeInterval(3600)),
      ("86400", PlayScene.begin.addingTimeInterval(86_400)),
      // More than a day, and anything else, is not relied on.
      ("86401", nil), ("soon", nil), ("-1", nil), ("1.5", nil), ("", nil),
      ("99999999999999999999", nil),
    ] as [(String, Date?)])
  func longRetryAfter(value: String, date: Date?) async throws {
    let scene = try await PlayScene([.error(429, "rateLimitExceeded", "", [.retryAfter: value])])
    let failure = try await failure { try await scene.client.subscription(token: "t") }
    #expect(failure.retryAfter == date)
    #expect(scene.play.requests.count == 1)
  }

  @Test("a date that has passed does not shorten our own pause")
  func pastDate() async throws {
    let scene = try await PlayScene([
      .status(429, "", headers: [.retryAfter: "Sat, 31 Oct 2026 00:00:00 GMT"]), Self.good,
    ])
    async let purchase = scene.client.subscription(token: "t")
    await scene.pass([.milliseconds(500)])
    _ = try await purchase
    #expect(scene.play.requests.count == 2)
  }

  // MARK: Patience

  @Test("no request begins after the patience of the call")
  func patience() async throws {
    let scene = try await PlayScene([.status(503)]) { $0.attempts = 100 }
    async let failure = failure {
      try await scene.client.subscription(token: "t", patience: .seconds(2))
    }
    await scene.pass([.milliseconds(500), .seconds(1)])
    #expect(try await failure.kind == .backend)
    #expect(scene.play.requests.count == 3)
    #expect(
      scene.play.requests.map(\.timeout) == [.seconds(2), .milliseconds(1500), .milliseconds(500)])
  }

  @Test("a transport that does not end in time is left behind")
  func stalled() async throws {
    let door = Gate()
    let scene = try await PlayScene(
      ScriptedTransport { _, _ in
        await door.wait()
        return try Self.good.get()
      })
    async let failure = failure {
      try await scene.client.subscription(token: "t", patience: .seconds(5))
    }
    await scene.clock.sleepers(reach: 1)
    scene.clock.advance(by: .seconds(5))
    #expect(try await failure == .transport(.timedOut))
    door.open()
  }

  @Test("a cancelled call ends")
  func cancellation() async throws {
    let scene = try await PlayScene([.status(503)])
    let call = Task { try await failure { try await scene.client.subscription(token: "t") } }
    await scene.clock.sleepers(reach: 1)
    call.cancel()
    #expect(try await call.value == .cancelled)
    #expect(scene.play.requests.count == 1)
  }
}
