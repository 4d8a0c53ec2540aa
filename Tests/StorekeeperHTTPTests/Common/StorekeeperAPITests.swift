import HTTPMessages
import StorekeeperHTTP
import Testing

@Suite("Several APIs as one")
struct StorekeeperAPITests {
  private func apis() async throws -> (subscriptions: APIScene, credits: CreditScene) {
    (try APIScene(), try await CreditScene())
  }

  @Test("the first API that knows a URL answers it, in its own style")
  func answers() async throws {
    let (subscriptions, credits) = try await apis()
    let api = StorekeeperAPI([subscriptions.api, credits.api])
    let link = await api.respond(to: HTTPRequestMessage(method: .post, url: "/api/v1/apple/link"))
    #expect(link.refusal == .invalidToken)
    let verify = await api.respond(
      to: HTTPRequestMessage(method: .post, url: "/api/v1/payments/apple/transactions/verify"))
    #expect(verify.problem == .unauthenticated)
    #expect(subscriptions.reports.all.map(\.route) == ["/api/v1/apple/link"])
    #expect(
      credits.reports.all.map(\.route) == ["/api/v1/payments/apple/transactions/verify"])
  }

  @Test("an unknown URL is 404, as the first API answers it")
  func unknown() async throws {
    let (subscriptions, credits) = try await apis()
    let nowhere = HTTPRequestMessage(url: "/nowhere")
    let first = await StorekeeperAPI([subscriptions.api, credits.api]).respond(to: nowhere)
    #expect(first.refusal == .notFound)
    let other = await StorekeeperAPI([credits.api, subscriptions.api]).respond(to: nowhere)
    #expect(other.problem == ProblemBody(404, "NOT_FOUND"))
    let none = await StorekeeperAPI([]).respond(to: nowhere)
    #expect(none.refusal == .notFound)
    #expect(none.headers.values(for: .requestID).count == 1)
  }

  @Test("routes are those of all, and known is what one of them knows")
  func routes() async throws {
    let (subscriptions, credits) = try await apis()
    let api = StorekeeperAPI([subscriptions.api, credits.api])
    #expect(api.routes == subscriptions.api.routes + credits.api.routes)
    for route in api.routes { #expect(api.knows(route.path)) }
    #expect(!api.knows("/api/v1/payments"))
  }

  @Test("a request is judged by its head, with the limit of the API that answers it")
  func heads() async throws {
    let (subscriptions, credits) = try await apis()
    let api = StorekeeperAPI([subscriptions.api, credits.api])
    for (path, limit) in [
      ("/api/v1/webhook/apple", 1 << 20), ("/api/v1/payments/apple/notifications", 256 << 10),
    ] {
      guard case .admitted(let request) = await api.judge(head: .init(method: .post, url: path))
      else {
        Issue.record("\(path) is not admitted")
        continue
      }
      #expect(request.bodyLimit == limit + 1)
      #expect(request.caller == nil)
      #expect(request.respondOverloaded().status == .serviceUnavailable)
    }
  }
}
