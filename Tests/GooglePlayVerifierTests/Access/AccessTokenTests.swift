import Foundation
import GooglePlayVerifier
import HTTPMessages
import JSONValues
import StorekeeperCrypto
import StorekeeperFixtures
import Testing

@Suite("Access tokens")
struct AccessTokenTests {
  /// A source with a clock of its own.
  private final class Scene: Sendable {
    let server: ScriptedTransport
    let tokens: AccessTokenSource
    private let time = SettableTime()

    init(_ server: ScriptedTransport) throws {
      let time = time
      self.server = server
      tokens = AccessTokenSource(
        account: try TestAccount.shared.get().account, transport: server,
        now: { time.now })
    }

    convenience init(_ answers: [ScriptedAnswer]) throws {
      try self.init(ScriptedTransport(answers))
    }

    func set(_ seconds: TimeInterval) {
      time.set(seconds)
    }
  }

  /// Returns the parameters of a form.
  private static func form(_ body: [UInt8]) -> [String: String] {
    var parameters: [String: String] = [:]
    for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      parameters[String(parts[0])] = String(parts[1]).removingPercentEncoding
    }
    return parameters
  }

  private static func content(_ segment: Substring) throws -> JSONValue {
    try JSONValue(parsing: try #require(Base64.decode(Array(segment.utf8)[...], .url)))
  }

  @Test("the request is a form with an assertion that the account's key signed")
  func request() async throws {
    let scene = try Scene([PlayScene.token("token-1")])
    #expect(try await scene.tokens.token().value == "token-1")
    let request = try #require(scene.server.requests.first)
    #expect(request.method == .post)
    #expect(request.url == "https://oauth2.googleapis.com/token")
    #expect(request.headers[.contentType] == "application/x-www-form-urlencoded")
    #expect(request.headers[.authorization] == nil)
    let form = Self.form(request.body)
    #expect(form.count == 2)
    #expect(form["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer")
    let assertion = try #require(form["assertion"])
    let segments = assertion.split(separator: ".")
    #expect(segments.count == 3)
    #expect(
      try Self.content(segments[0])
        == json(#"{"alg":"RS256","typ":"JWT","kid":"key-1"}"#))
    #expect(
      try Self.content(segments[1])
        == json(
          #"{"iss":"play@reader.iam.gserviceaccount.com","iat":1793491200,"exp":1793494800,"#
            + #""scope":"https://www.googleapis.com/auth/androidpublisher","#
            + #""aud":"https://oauth2.googleapis.com/token"}"#))
    let signature = try #require(Base64.decode(Array(segments[2].utf8)[...], .url))
    let key = try TestAccount.shared.get().key.publicKey
    #expect(key.isValid(signature, of: Array("\(segments[0]).\(segments[1])".utf8)))
  }

  @Test("a token is kept until a minute before its end")
  func lifetime() async throws {
    let scene = try Scene([PlayScene.token("token-1", lifetime: 3599), PlayScene.token("token-2")])
    for seconds in [0.0, 1, 3538.9] {
      scene.set(seconds)
      #expect(try await scene.tokens.token().value == "token-1")
    }
    scene.set(3539)
    #expect(try await scene.tokens.token().value == "token-2")
    #expect(scene.server.requests.count == 2)
  }

  @Test("a token that lives for a minute at most is used once")
  func shortLife() async throws {
    let scene = try Scene([
      PlayScene.token("token-1", lifetime: 60), PlayScene.token("token-2", lifetime: -1),
      PlayScene.token("token-3"),
    ])
    for number in 1...3 { #expect(try await scene.tokens.token().value == "token-\(number)") }
  }

  @Test("a clock that is set back makes a token old")
  func clockSetBack() async throws {
    let scene = try Scene([PlayScene.token("token-1"), PlayScene.token("token-2")])
    _ = try await scene.tokens.token()
    scene.set(-86_400)
    #expect(try await scene.tokens.token().value == "token-2")
  }

  @Test("concurrent callers make one request")
  func concurrency() async throws {
    let door = Gate()
    let scene = try Scene(
      ScriptedTransport { _, number in
        await door.wait()
        return try PlayScene.token("token-\(number)").get()
      })
    let values = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<50 { group.addTask { try await scene.tokens.token().value } }
      group.addTask {
        while scene.server.requests.isEmpty { await Task.yield() }
        door.open()
        return "token-1"
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(values == [String](repeating: "token-1", count: 51))
    #expect(scene.server.requests.count == 1)
  }

  @Test("a waiter that is cancelled does not cancel the others")
  func cancellation() async throws {
    let door = Gate()
    let scene = try Scene(
      ScriptedTransport { _, _ in
        await door.wait()
        try Task.checkCancellation()
        return try PlayScene.token("token-1").get()
      })
    let patient = Task { try await scene.tokens.token() }
    while scene.server.requests.isEmpty { await Task.yield() }
    let impatient = Task { try await scene.tokens.token() }
    impatient.cancel()
    await #expect(throws: AccessTokenFailure.cancelled) { try await impatient.value }
    door.open()
    #expect(try await patient.value.value == "token-1")
    #expect(scene.server.requests.count == 1)
  }

  @Test("a token that was refused is dropped, but not a newer one")
  func drop() async throws {
    let scene = try Scene([PlayScene.token("token-1"), PlayScene.token("token-2")])
    let first = try await scene.tokens.token()
    scene.tokens.drop(first)
    let second = try await scene.tokens.token()
    scene.tokens.drop(first)
    #expect(try await scene.tokens.token() == second)
    #expect(scene.server.requests.count == 2)
  }

  @Test(
    "each error of the token server has its case",
    arguments: [
      (.status(400, #"{"error":"invalid_grant","error_description":"x"}"#), .invalidGrant),
      (.status(400, #"{"error":"invalid_scope"}"#), .invalidScope),
      (.status(401, #"{"error":"invalid_client"}"#), .invalidClient),
      (.status(403, #"{"error":"access_denied"}"#), .refused(status: 403, error: "access_denied")),
      (.status(400, #"{"error":"a b"}"#), .refused(status: 400, error: nil)),
      (.status(400, #"{"error":{"code":400}}"#), .refused(status: 400, error: nil)),
      (.status(404, "<html>"), .refused(status: 404, error: nil)),
      (.status(302, ""), .refused(status: 302, error: nil)),
      (.status(429, ""), .rateLimited(retryAfter: nil)),
      (
        .status(429, "", headers: [.retryAfter: "30"]),
        .rateLimited(retryAfter: PlayScene.begin.addingTimeInterval(30))
      ),
      (.status(500, #"{"error":"invalid_grant"}"#), .backendError(status: 500, retryAfter: nil)),
      (.status(200, ""), .notJSON),
      (
        .status(200, "[]"),
        .malformedAnswer(FieldTypeFailure(expected: .object, found: .array))
      ),
      (
        .status(200, #"{"expires_in":3599}"#),
        .malformedAnswer(
          FieldTypeFailure(path: "access_token", expected: .string, found: .absent))
      ),
      (
        .status(200, #"{"access_token":"a\r\nb","expires_in":3599}"#),
        .malformedAnswer(
          FieldTypeFailure(path: "access_token", expected: .string, found: .string))
      ),
      (
        .status(200, #"{"access_token":"t"}"#),
        .malformedAnswer(
          FieldTypeFailure(path: "expires_in", expected: .integer, found: .absent))
      ),
      (
        .status(200, #"{"access_token":"t","expires_in":true}"#),
        .malformedAnswer(
          FieldTypeFailure(path: "expires_in", expected: .integer, found: .boolean))
      ),
      (
        .status(200, #"{"access_token":"t","expires_in":9,"token_type":"mac"}"#),
        .malformedAnswer(
          FieldTypeFailure(path: "token_type", expected: .string, found: .string))
      ),
      (.fails(.notConnected), .transport(.notConnected)),
      (.fails(.timedOut), .transport(.timedOut)),
    ] as [(ScriptedAnswer, AccessTokenFailure)])
  func failures(answer: ScriptedAnswer, failure: AccessTokenFailure) async throws {
    let scene = try Scene([answer, PlayScene.token("token-1")])
    await #expect(throws: failure) { try await scene.tokens.token() }
    // No failure is kept.
    #expect(try await scene.tokens.token().value == "token-1")
  }

  @Test(
    "invalid_grant with a clock that differs by more than a minute says so",
    arguments: [
      ("Sat, 31 Oct 2026 23:50:00 GMT", .clockSkew(.seconds(600))),
      ("Sun, 01 Nov 2026 00:10:00 GMT", .clockSkew(.seconds(-600))),
      ("Sun, 01 Nov 2026 00:01:01 GMT", .clockSkew(.seconds(-61))),
      ("Sun, 01 Nov 2026 00:01:00 GMT", .invalidGrant),
      ("Sat, 31 Oct 2026 23:59:00 GMT", .invalidGrant), ("yesterday", .invalidGrant),
    ] as [(String, AccessTokenFailure)])
  func clockSkew(date: String, failure: AccessTokenFailure) async throws {
    let scene = try Scene([.status(400, #"{"error":"invalid_grant"}"#, headers: [.date: date])])
    await #expect(throws: failure) { try await scene.tokens.token() }
  }

  @Test("no token is ever printed")
  func secrets() async throws {
    let scene = try Scene([PlayScene.token("SECRET-7F3A")])
    let token = try await scene.tokens.token()
    #expect(!(printed(token) + printed(scene.tokens)).contains("SECRET-7F3A"))
  }
}
