import HTTPMessages
import StorekeeperHTTP
import Testing

@Suite("The credit API as a whole")
struct CreditRoutingTests {
  @Test("the routes of the contract and the additions")
  func routes() async throws {
    let scene = try await CreditScene()
    let expected: [(String, HTTPRequestMethod)] = [
      ("/payments/apple/transactions/verify", .post), ("/payments/apple/products", .get),
      ("/credits/balance", .get), ("/credits/ledger", .get),
      ("/payments/apple/notifications", .post), ("/credits/entries", .post),
    ]
    #expect(scene.api.routes.map(\.path) == expected.map { "/api/v1" + $0.0 })
    #expect(scene.api.routes.map(\.methods) == expected.map { [$0.1] })
  }

  @Test("without services and notifications their routes are unknown; the prefix is the host's")
  func optionalRoutes() async throws {
    let scene = try await CreditScene()
    var options = APIOptions()
    options.prefix = "/shop/"
    let api = CreditAPI(scene.api.credits, users: BearerTokens([]), options: options)
    #expect(
      api.routes.map(\.path) == [
        "/shop/payments/apple/transactions/verify", "/shop/payments/apple/products",
        "/shop/credits/balance", "/shop/credits/ledger",
      ])
    for path in ["/shop/credits/entries", "/shop/payments/apple/notifications"] {
      let response = await api.respond(to: HTTPRequestMessage(method: .post, url: path))
      #expect(response.problem == ProblemBody(404, "NOT_FOUND"))
    }
  }

  @Test("a report names a service, but no user")
  func reports() async throws {
    let scene = try await CreditScene()
    _ = try await scene.verify()
    _ = try await scene.verify("{}")
    _ = try await scene.book("{}")
    _ = try await scene.notify("{}")
    let all = scene.reports.all
    #expect(all.map(\.caller) == [nil, nil, "render-farm", nil])
    #expect(all.map(\.status.code) == [200, 422, 422, 400])
    let codes = all.map { report in
      guard case .refused(let field, let code) = report.outcome else { return ["-"] }
      return [field, code].compactMap(\.self)
    }
    #expect(
      codes == [
        ["-"], ["productCode", "REQUEST_VALIDATION_FAILED"],
        ["userId", "REQUEST_VALIDATION_FAILED"], ["REQUEST_MALFORMED"],
      ])
  }

  @Test("a server without room for a body answers 503")
  func overloaded() async throws {
    let scene = try await CreditScene()
    let path = "/api/v1/payments/apple/notifications"
    guard case .admitted(let request) = await scene.api.judge(head: .init(method: .post, url: path))
    else {
      Issue.record("not admitted")
      return
    }
    let response = request.respondOverloaded()
    #expect(response.problem == .unavailable)
    #expect(response.headers.values(for: .retryAfter) == ["5"])
    guard case .overloaded? = scene.reports.all.last?.outcome else {
      Issue.record("another outcome")
      return
    }
  }

  @Test(
    "the time after which a client may try again is in whole seconds, rounded up",
    arguments: [
      (.milliseconds(1500), "2"), (.seconds(7), "7"), (.zero, "0"), (.seconds(-3), "0"),
    ] as [(Duration, String)])
  func retryAfter(time: Duration, seconds: String) async throws {
    let scene = try await CreditScene()
    var options = APIOptions()
    options.retryAfter = time
    let api = CreditAPI(
      scene.api.credits, notifications: scene.api.notifications, users: BearerTokens([]),
      options: options)
    let path = "/api/v1/payments/apple/notifications"
    guard case .admitted(let request) = await api.judge(head: .init(method: .post, url: path))
    else {
      Issue.record("not admitted")
      return
    }
    let response = request.respondOverloaded()
    #expect(response.headers.values(for: .retryAfter) == [seconds])
  }
}
