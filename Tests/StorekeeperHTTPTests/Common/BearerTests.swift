import Foundation
import HTTPMessages
import StorekeeperHTTP
import Testing

@Suite("Bearer tokens")
struct BearerTests {
  @Test("every endpoint but the webhook needs one", arguments: Endpoint.withBearer)
  func needed(endpoint: Endpoint) async throws {
    // The user is missing too, and the body is wrong: the token is looked at first.
    let scene = try APIScene()
    let response = try await scene.send(to: endpoint, "{", token: nil, hasUser: false)
    #expect(response.refusal == .invalidToken)
    #expect(response.headers.values(for: .authenticate) == ["Bearer"])
    let wrong = try await scene.send(to: endpoint, "{", token: "wrong", hasUser: false)
    #expect(wrong.refusal == .invalidToken)
  }

  @Test(
    "a field that names no token opens nothing",
    arguments: [
      [""], ["Bearer"], ["Bearer "], ["token-of-an-app"], ["Basic token-of-an-app"],
      ["Bearer: token-of-an-app"], ["Bearer token-of-an-app x"], ["Bearer\ttoken-of-an-app"],
      ["Bearer token-of-an-ap"], ["Bearer token-of-an-app,"], ["Bearer Token-Of-An-App"],
      ["Bearer \"token-of-an-app\""], ["Bearer token-of-an-äpp"], ["Bearer\u{301} token-of-an-app"],
      ["Bearer token-of-an-app", "Bearer token-of-an-app"], ["Bearer x", "Bearer token-of-an-app"],
      ["Bearer " + String(repeating: "a", count: 5000)],
    ])
  func malformed(values: [String]) async throws {
    let scene = try APIScene()
    var headers = HTTPHeaders()
    for value in values { try headers.append(value, for: .authorization) }
    let response = await scene.api.respond(
      to: HTTPRequestMessage(url: "/api/v1/apple/subs/1", headers: headers))
    #expect(response.refusal == .invalidToken)
  }

  @Test(
    "the scheme may be in any case",
    arguments: ["Bearer", "bearer", "BEARER", "bEaReR", "Bearer  "])
  func scheme(text: String) async throws {
    let scene = try APIScene()
    var headers = HTTPHeaders()
    try headers.set("\(text) \(APIScene.token)", for: .authorization)
    let response = await scene.api.respond(
      to: HTTPRequestMessage(url: "/api/v1/apple/subs/1", headers: headers))
    #expect(response.refusal == .notFound)
  }

  @Test("neither query nor form is looked at")
  func elsewhere() async throws {
    let scene = try APIScene()
    let response = try await scene.send(
      .post, "/apple/link?access_token=token-of-an-app", "access_token=token-of-an-app",
      token: nil, headers: [.contentType: "application/x-www-form-urlencoded"])
    #expect(response.refusal == .invalidToken)
  }

  @Test("a token that is inactive or over is told from one that nobody has")
  func inactive() async throws {
    let digest = try BearerTokens.digest(of: APIScene.token)
    let now = APIScene.start
    for (entry, expected) in [
      (BearerTokens.Entry(name: "a", digest: digest, isActive: false), Refusal.inactiveToken),
      (.init(name: "a", digest: digest, expires: now), .inactiveToken),
      (.init(name: "a", digest: digest, expires: now - 1), .inactiveToken),
      (.init(name: "a", digest: digest, expires: now + 1), .notFound),
      (.init(name: "a", digest: digest.uppercased()), .notFound),
      (.init(name: "a", digest: ""), .invalidToken),
      (.init(name: "a", digest: String(digest.dropLast())), .invalidToken),
      (.init(name: "a", digest: digest + "0"), .invalidToken),
      (.init(name: "a", digest: APIScene.token), .invalidToken),
    ] {
      let scene = try APIScene(authenticator: BearerTokens([entry], now: { now }))
      let response = try await scene.send(.get, "/apple/subs/1")
      #expect(response.refusal == expected)
      #expect(response.headers[.authenticate] == (response.status == 401 ? "Bearer" : nil))
    }
  }

  @Test("a digest is the SHA-256 of the token in lower case")
  func digest() throws {
    // FIPS 180-2, appendix B.1.
    #expect(
      try BearerTokens.digest(of: "abc")
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test("each of several tokens opens, and the report says whose it was")
  func several() async throws {
    let tokens = ["one", "two", "three"]
    let scene = try APIScene(
      authenticator: BearerTokens(
        tokens.map { .init(name: "app-\($0)", digest: try BearerTokens.digest(of: $0)) }))
    for token in tokens { _ = try await scene.send(.get, "/apple/subs/1", token: token) }
    _ = try await scene.send(.get, "/apple/subs/1", token: "four")
    #expect(scene.reports.all.map(\.caller) == ["app-one", "app-two", "app-three", nil])
  }
}
