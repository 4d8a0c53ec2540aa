import HTTPMessages
import StoreSimulators
import StorekeeperHTTP
import StorekeeperTesting
import Testing

@Suite("Reports to the observer")
struct ObserverTests {
  @Test("a request that is done, with its route as a template, and no id")
  func done() async throws {
    let clock = ManualClock()
    let scene = try APIScene(clock: clock)
    _ = try await scene.bought()
    let response = try await scene.send(
      .patch, "/apple/subs/\(APIScene.firstID)?secret=1", "1234567")
    let report = try #require(scene.reports.all.first)
    #expect(report.method == .patch)
    #expect(report.route == "/api/v1/apple/subs/{id}")
    #expect(report.caller == "ios-app")
    #expect(report.status == 200)
    guard case .succeeded = report.outcome else {
      Issue.record("not succeeded")
      return
    }
    #expect(report.duration == .zero)
    #expect(report.requestBytes == 7)
    #expect(report.responseBytes == response.body.count)
    #expect(report.id == response.headers[.requestID])
  }

  @Test("how long it took, by the clock of the API")
  func duration() async throws {
    let clock = ManualClock()
    let scene = try APIScene(authenticator: SlowAuthenticator(clock: clock), clock: clock)
    _ = try await scene.send(.get, "/apple/subs/1")
    #expect(scene.reports.all.map(\.duration) == [.seconds(3)])
  }

  private struct SlowAuthenticator: Authenticator {
    let clock: ManualClock

    func caller(token: String) async throws -> Caller {
      clock.advance(by: .seconds(3))
      return Caller(name: "slow")
    }
  }

  @Test("a refusal, with field and code")
  func refused() async throws {
    let scene = try APIScene()
    _ = try await scene.send(.post, "/apple/link", "{}")
    _ = try await scene.send(.get, "/nowhere")
    _ = try await scene.send(.post, "/apple/link", "{", token: "wrong")
    let all = scene.reports.all
    #expect(all.map(\.status.code) == [422, 404, 401])
    #expect(all.map(\.route) == ["/api/v1/apple/link", nil, "/api/v1/apple/link"])
    #expect(all.map(\.caller) == ["ios-app", nil, nil])
    let codes = all.map { report in
      guard case .refused(let field, let code) = report.outcome else { return ["?"] }
      return [field, code].compactMap(\.self)
    }
    #expect(codes == [["ftcId", "missing_field"], [], []])
  }

  /// The ids that client and observer see where the host makes this one.
  private func ids(for id: String) async throws -> (sent: [String], reported: [String]) {
    let scene = try APIScene()
    var options = APIOptions()
    options.observer = scene.reports
    options.requestID = { id }
    let api = SubscriptionAPI(
      scene.api.subscriptions, authenticator: BearerTokens([]), options: options)
    let response = await api.respond(to: HTTPRequestMessage(url: "/nowhere"))
    return (response.headers.values(for: .requestID), scene.reports.all.map(\.id))
  }

  @Test("the host may make the ids")
  func hostIDs() async throws {
    let ids = try await ids(for: "host-1")
    #expect(ids.sent == ["host-1"])
    #expect(ids.reported == ["host-1"])
  }

  @Test(
    "in the place of an id that cannot be sent there is one by chance, the same for both",
    arguments: ["a\r\nSet-Cookie: b", "a\0", "\u{1B}[31m", "", " "])
  func badIDs(id: String) async throws {
    let ids = try await ids(for: id)
    let sent = try #require(ids.sent.first)
    #expect(sent.utf8.count == 16)
    #expect(sent.allSatisfy { $0.isHexDigit })
    #expect(ids.sent == [sent])
    #expect(ids.reported == [sent])
  }

  @Test("white space around the host's id is part of it for neither")
  func trimmedID() async throws {
    let ids = try await ids(for: " host-1\t")
    #expect(ids.sent == ["host-1"])
    #expect(ids.reported == ["host-1"])
  }

  @Test("ids by chance are 16 hexadecimal digits")
  func randomIDs() {
    let ids = (1...100).map { _ in RequestID.random() }
    #expect(Set(ids).count == 100)
    #expect(ids.allSatisfy { $0.utf8.count == 16 && $0.allSatisfy(\.isHexDigit) })
  }
}
