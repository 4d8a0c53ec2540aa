import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import StorekeeperTesting
import Testing

@Suite("Pages of notifications") struct NotificationHistoryTests {
  private static let url =
    "https://api.storekit-sandbox.apple.com/inApps/v1/notifications/history"

  private static func page(_ token: String?, hasMore: Bool = true) -> ScriptedAnswer {
    let token = token.map { #""paginationToken":"\#($0)","# } ?? ""
    return .status(200, #"{\#(token)"hasMore":\#(hasMore),"notificationHistory":[]}"#)
  }

  private static func request(_ start: TimeInterval, _ end: TimeInterval = 0)
    -> NotificationHistoryRequest
  {
    NotificationHistoryRequest(
      startDate: ClientScene.begin.addingTimeInterval(start),
      endDate: ClientScene.begin.addingTimeInterval(end))
  }

  private func read(
    _ scene: ClientScene, _ request: NotificationHistoryRequest = request(-86_400),
    in environment: AppStoreEnvironment? = .sandbox
  ) async throws -> Int {
    var pages = 0
    for try await _ in scene.client.notificationHistory(request, in: environment) { pages += 1 }
    return pages
  }

  @Test("Each page repeats the body and has the token of the page before in its query")
  func pages() async throws {
    let scene = try ClientScene([
      Self.page("t+1/="), Self.page("t2"), Self.page(nil, hasMore: false),
    ])
    #expect(try await read(scene) == 3)
    #expect(
      scene.requests.map(\.url) == [
        Self.url, Self.url + "?paginationToken=t%2B1%2F%3D", Self.url + "?paginationToken=t2",
      ])
    #expect(
      Set(scene.requests.map { String(decoding: $0.body, as: UTF8.self) })
        == [#"{"endDate":1793491200250,"startDate":1793404800250}"#])
    #expect(Set(scene.requests.map(\.method)) == [.post])
  }

  @Test("Pages repeat the same body although time passes, even if the window is clipped")
  func sameBody() async throws {
    let clock = LeapingClock()
    let scene = try ClientScene(
      ScriptedTransport { _, number in
        clock.pass(.seconds(3600))
        return try Self.page("t\(number)", hasMore: number < 3).get()
      }, clock: clock)
    #expect(try await read(scene, Self.request(-40 * 86_400)) == 3)
    #expect(Set(scene.requests.map(\.body)).count == 1)
  }

  @Test(
    "The window is clipped to 180 days, 30 in the Sandbox, less a minute",
    arguments: [(AppStoreEnvironment.production, 180), (.sandbox, 30)])
  func clipped(_ environment: AppStoreEnvironment, _ days: Int) async throws {
    let reach = days * 86_400
    for (start, sent) in [
      (-reach - 999, -reach + 60), (-reach, -reach + 60), (-reach + 59, -reach + 60),
      (-reach + 61, -reach + 61),
    ] {
      let scene = try ClientScene([Self.page(nil, hasMore: false)])
      _ = try await read(scene, Self.request(TimeInterval(start)), in: environment)
      let body = try JSONValue(parsing: try #require(scene.requests.first).body)
      #expect(body["startDate"] == SignedTokens.date(sent * 1000))
      #expect(body["endDate"] == SignedTokens.date(0))
    }
  }

  @Test(
    "A window that is empty, upside down or too old is refused",
    arguments: [(0.0, 0.0, "startDate"), (1, 0, "startDate"), (-9e6, -8e6, "endDate")])
  func refused(_ start: TimeInterval, _ end: TimeInterval, _ field: String) async throws {
    let scene = try ClientScene([Self.page(nil, hasMore: false)])
    let failure = try await failure { try await read(scene, Self.request(start, end)) }
    guard case .invalidRequest(let fault) = failure.reason else {
      Issue.record("\(failure)")
      return
    }
    #expect(fault.field == field)
    #expect(scene.sent == 0)
  }

  @Test("A window may end in the future")
  func future() async throws {
    let scene = try ClientScene([Self.page(nil, hasMore: false)])
    #expect(try await read(scene, Self.request(-60, 86_400)) == 1)
  }

  @Test("Without an environment nothing is asked")
  func environment() async throws {
    let scene = try ClientScene([Self.page(nil, hasMore: false)])
    let failure = try await failure { try await read(scene, in: nil) }
    #expect(failure.reason.name == "environmentRequired")
    #expect(scene.sent == 0)
  }

  @Test(
    "If a token is refused, the pages are read from the first", arguments: [4_000_017, 4_000_014])
  func expired(_ code: Int) async throws {
    let scene = try ClientScene([
      Self.page("t1"), .code(code), Self.page("t1"), Self.page(nil, hasMore: false),
    ])
    #expect(try await read(scene) == 3)
    #expect(
      scene.requests.map(\.url) == [
        Self.url, Self.url + "?paginationToken=t1", Self.url, Self.url + "?paginationToken=t1",
      ])
    let again = try ClientScene([Self.page("t1"), .code(code), Self.page("t1"), .code(code)])
    let failure = try await failure { try await read(again) }
    #expect(failure.retry == .startOver)
    #expect(again.sent == 4)
  }

  @Test(
    "A loop of tokens is an error",
    arguments: [[nil], ["a", "a"], ["a", "b", "a"]] as [[String?]])
  func loop(_ tokens: [String?]) async throws {
    let scene = try ClientScene(tokens.map { Self.page($0) })
    let failure = try await failure { try await read(scene) }
    #expect(failure.reason.name == "pagesRepeat")
    #expect(scene.sent == tokens.count)
  }

  @Test("A notification that is refused leaves the others of its page")
  func refusedNotification() async throws {
    let good = try SignedTokens.notification()
    let scene = try ClientScene([
      .status(
        200,
        #"{"hasMore":false,"notificationHistory":[{"signedPayload":"signed_payload_one","#
          + #""sendAttempts":[{"attemptDate":1698148800000,"sendAttemptResult":"NEW_WORD"}]},"#
          + #"{"signedPayload":"\#(good)"}]}"#)
    ])
    var sent: [SentNotification] = []
    for try await page in scene.client.notificationHistory(Self.request(-60), in: .sandbox) {
      sent += page.notifications
    }
    #expect(sent.map { (try? $0.notification.get()) != nil } == [false, true])
    #expect(sent.map(\.signedPayload) == ["signed_payload_one", good])
    #expect(sent.first?.sendAttempts.value.first?.sendAttemptResult?.rawValue == "NEW_WORD")
  }

  @Test("A notification of another app or environment is a failure")
  func foreign() async throws {
    let app: JSONValue = .object([
      "environment": .string("Sandbox"), "bundleId": .string("com.example.other"),
    ])
    for (token, name) in [
      (try SignedTokens.notification(["data": app]), "otherApp"),
      (try SignedTokens.notification(in: .production), "otherEnvironment"),
    ] {
      let scene = try ClientScene([
        .status(200, #"{"hasMore":false,"notificationHistory":[{"signedPayload":"\#(token)"}]}"#)
      ])
      let failure = try await failure { try await read(scene) }
      #expect(failure.reason.name == name)
    }
  }

  @Test("Filters by customer and by type exclude each other")
  func filters() async throws {
    let scene = try ClientScene([Self.page(nil, hasMore: false)])
    var both = Self.request(-60)
    both.transactionID = "1"
    both.notificationType = .refund
    #expect(try await failure { try await read(scene, both) }.reason.name == "invalidRequest")
    var customer = Self.request(-60)
    customer.transactionID = "1"
    #expect(try await read(scene, customer) == 1)
    #expect(
      scene.requests.map { String(decoding: $0.body, as: UTF8.self) }
        == [#"{"endDate":1793491200250,"startDate":1793491140250,"transactionId":"1"}"#])
  }

  @Test("A test notification is polled after 2, 5, 15, 30 and 60 seconds")
  func polling() async throws {
    let clock = LeapingClock()
    let good = try SampleCall.of(.testNotificationStatus).success
    let scene = try ClientScene(
      ScriptedTransport { _, number in
        try (number < 5 ? ScriptedAnswer.code(4_040_008) : good).get()
      }, clock: clock)
    let status = try await scene.client.awaitTestNotification(
      "t", in: .sandbox, atMost: .seconds(60))
    #expect(status != nil)
    #expect(scene.sent == 5)
    #expect(clock.sleeps == [2, 3, 10, 15, 30].map { .seconds($0) })
    let never = try ClientScene([.code(4_040_008)])
    #expect(
      try await never.client.awaitTestNotification("t", in: .sandbox, atMost: .seconds(20)) == nil)
    #expect(never.sent == 3)
  }
}
