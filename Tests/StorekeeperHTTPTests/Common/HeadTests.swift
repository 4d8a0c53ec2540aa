import HTTPMessages
import StorekeeperHTTP
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// The checks that come before the body, in their order (contract on linking, section 6.1).
@Suite("Requests judged by their head")
struct HeadTests {
  private func judge(
    _ scene: APIScene, _ endpoint: Endpoint, token: String? = APIScene.token, hasUser: Bool = true,
    length: Int? = nil
  ) async throws -> HeadJudgement {
    var fields = HTTPHeaders()
    if let token { try fields.set("Bearer \(token)", for: .authorization) }
    if hasUser { try fields.set("alice", for: .userID) }
    if let length { try fields.set("\(length)", for: .contentLength) }
    return await scene.api.judge(
      head: HTTPRequestMessage(
        method: endpoint.method, url: endpoint.mount + endpoint.path, headers: fields))
  }

  private func refusal(_ judgement: HeadJudgement) -> Refusal? {
    guard case .answered(let response) = judgement else { return nil }
    return response.refusal
  }

  @Test("a token, a user and room are asked for before the body", arguments: Endpoint.withBody)
  func refused(endpoint: Endpoint) async throws {
    let scene = try APIScene(bodyLimit: 100)
    let expected: [Refusal?] = [
      endpoint.hasBearer ? .invalidToken : nil,
      endpoint.hasBearer ? .invalidToken : .tooLarge,
      endpoint.needsUser ? .noUser : nil, .tooLarge, nil,
    ]
    let found = [
      refusal(try await judge(scene, endpoint, token: nil)),
      refusal(try await judge(scene, endpoint, token: "wrong", length: 101)),
      refusal(try await judge(scene, endpoint, hasUser: false)),
      refusal(try await judge(scene, endpoint, length: 101)),
      refusal(try await judge(scene, endpoint, length: 100)),
    ]
    #expect(found == expected)
    // An admitted request has not been answered yet.
    #expect(scene.reports.all.map(\.status.code) == expected.compactMap { $0?.status })
  }

  @Test("an unknown route and a wrong method are told by the head")
  func unknown() async throws {
    let scene = try APIScene()
    let nowhere = Endpoint(method: .post, path: "/nowhere", allow: "")
    #expect(refusal(try await judge(scene, nowhere, token: nil)) == .notFound)
    let put = Endpoint(method: .put, path: "/apple/link", allow: "")
    #expect(refusal(try await judge(scene, put, token: nil)) == .wrongMethod)
  }

  @Test("who is admitted is known by a token, or is not, and says how much of a body is wanted")
  func admitted() async throws {
    let scene = try APIScene(bodyLimit: 100)
    for endpoint in Endpoint.all {
      guard case .admitted(let request) = try await judge(scene, endpoint) else {
        Issue.record("\(endpoint) is not admitted")
        continue
      }
      #expect(request.caller == (endpoint.hasBearer ? Caller(name: "ios-app") : nil))
      #expect(request.bodyLimit == (endpoint.readsBody ? 101 : 0))
    }
  }

  @Test(
    "the answer is that of the whole request; the token is asked for, and the observer told, once")
  func whole() async throws {
    let tokens = CountingAuthenticator()
    let scene = try APIScene(authenticator: tokens)
    let link = Endpoint.current[1]
    guard case .admitted(let request) = try await judge(scene, link) else {
      Issue.record("not admitted")
      return
    }
    let response = await request.respond(body: Array(#"{"ftcId":"alice"}"#.utf8))
    #expect(response.refusal == .missing("originalTxId"))
    #expect(tokens.count == 1)
    #expect(scene.reports.all.map(\.status) == [422])
    #expect(scene.reports.all.map(\.requestBytes) == [17])
    #expect(scene.reports.all.map(\.id) == response.headers.values(for: .requestID))
  }

  @Test("a body without a declared length is measured when it is there")
  func undeclared() async throws {
    let scene = try APIScene(bodyLimit: 100)
    guard case .admitted(let request) = try await judge(scene, Endpoint.current[1]) else {
      Issue.record("not admitted")
      return
    }
    #expect(await request.respond(body: [UInt8](repeating: 32, count: 101)).refusal == .tooLarge)
  }

  @Test("a server without room for the body answers 503, and the observer is told why")
  func overloaded() async throws {
    let scene = try APIScene()
    guard case .admitted(let request) = try await judge(scene, Endpoint.current[1]) else {
      Issue.record("not admitted")
      return
    }
    let response = request.respondOverloaded()
    #expect(response.refusal == .unavailable)
    let report = try #require(scene.reports.all.first)
    #expect(report.status == 503)
    #expect(report.route == "/api/v1/apple/link")
    #expect(report.caller == "ios-app")
    #expect(report.id == response.headers[.requestID])
    guard case .overloaded = report.outcome else {
      Issue.record("another outcome")
      return
    }
  }

  /// Knows every token, and counts how often it was asked.
  private final class CountingAuthenticator: Authenticator {
    private let asked = Locked(0)

    var count: Int { asked.withLock { $0 } }

    func caller(token: String) async throws -> Caller {
      asked.withLock { $0 += 1 }
      return Caller(name: "anybody")
    }
  }
}
