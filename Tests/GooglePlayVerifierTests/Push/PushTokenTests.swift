import Foundation
import GooglePlayVerifier
import HTTPMessages
import JSONValues
import StorekeeperCrypto
import StorekeeperFixtures
import Testing

@Suite("Bearer tokens of Pub/Sub")
struct PushTokenTests {
  @Test("a good token passes, with either form of the issuer")
  func good() async throws {
    let scene = try PushScene()
    try await scene.verifier.check(authorization: "Bearer " + scene.token())
    try await scene.verifier.check(authorization: "bearer " + scene.token())
    #expect(
      await scene.failure(try scene.token(claims: ["iss": .string("accounts.google.com")])) == nil)
    let request = try #require(scene.server.requests.first)
    #expect(request.url == "https://www.googleapis.com/oauth2/v3/certs")
    #expect(request.method == .get)
    #expect(scene.server.requests.count == 1)
  }

  @Test(
    "a request without a bearer token is refused",
    arguments: [nil, "", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "a.b.c"] as [String?])
  func missing(authorization: String?) async throws {
    let scene = try PushScene()
    await #expect(throws: PushTokenFailure.missing) {
      try await scene.verifier.check(authorization: authorization)
    }
  }

  @Test(
    "each wrong claim is refused by its name",
    arguments: [
      ("iss", .string("https://example.com"), .wrongIssuer),
      ("iss", .string("http://accounts.google.com"), .wrongIssuer),
      ("iss", .string("https://accounts.google.com/"), .wrongIssuer),
      ("aud", .string("https://api.example.com/other"), .wrongAudience),
      ("aud", .string("https://api.example.com/play/"), .wrongAudience),
      // A stranger's account, for which Google issues tokens for any audience.
      ("email", .string("stranger@example.iam.gserviceaccount.com"), .wrongEmail),
      ("email", .string("PUSH@reader.iam.gserviceaccount.com"), .wrongEmail),
      ("email_verified", .boolean(false), .emailNotVerified),
      ("email_verified", .null, .emailNotVerified),
    ] as [(String, JSONValue, PushTokenFailure)])
  func claims(name: String, value: JSONValue, failure: PushTokenFailure) async throws {
    let scene = try PushScene()
    #expect(await scene.failure(try scene.token(claims: [name: value])) == failure)
    #expect(!failure.isIncidental)
  }

  @Test(
    "a claim that is missing or has the wrong type is named",
    arguments: [
      ("iss", .null, .string, .absent), ("aud", .null, .string, .absent),
      ("aud", .array([.string(PushScene.audience)]), .string, .array),
      ("email", .null, .string, .absent), ("email", .string(""), .string, .absent),
      ("email_verified", .string("true"), .boolean, .string), ("exp", .null, .number, .absent),
      ("exp", .string("1793494800"), .number, .string), ("iat", .null, .number, .absent),
      ("iat", .boolean(true), .number, .boolean),
    ] as [(String, JSONValue, JSONKind, JSONKind)])
  func malformedClaims(
    name: String, value: JSONValue, expected: JSONKind, found: JSONKind
  ) async throws {
    let scene = try PushScene()
    let fault = FieldTypeFailure(path: name, expected: expected, found: found)
    #expect(await scene.failure(try scene.token(claims: [name: value])) == .malformedClaim(fault))
  }

  @Test("the times count with the leeway: a minute unless configured")
  func times() async throws {
    let scene = try PushScene()
    let token = try scene.token()
    for (seconds, failure) in [
      (-61.0, PushTokenFailure.issuedInFuture), (-60, nil), (0, nil), (3659.9, nil),
      (3660, .expired),
    ] {
      scene.set(seconds)
      #expect(await scene.failure(token) == failure, "\(seconds)")
    }
    let strict = try PushScene { $0.leeway = .zero }
    strict.set(3600)
    #expect(await strict.failure(token) == .expired)
    strict.set(-0.1)
    #expect(await strict.failure(token) == .issuedInFuture)
  }

  @Test("a time may have a fraction")
  func fractions() async throws {
    let scene = try PushScene { $0.leeway = .zero }
    let token = try scene.token(claims: ["exp": .number(1_793_494_800.5)])
    scene.set(3600.25)
    #expect(await scene.failure(token) == nil)
  }

  @Test(
    "only RS256 is accepted, and nothing else is looked at before",
    arguments: [
      .string("none"), .string("HS256"), .string("RS512"), .string("PS256"), .string("ES256"),
      .string("rs256"), .null, .integer(1),
    ] as [JSONValue])
  func algorithms(value: JSONValue) async throws {
    let scene = try PushScene()
    let token = try scene.token(header: ["alg": value, "kid": .null, "crit": .array([])])
    #expect(await scene.failure(token) == .unsupportedAlgorithm)
    #expect(scene.server.requests.isEmpty)
  }

  @Test("a token signed with the public key as a secret is refused")
  func confusion() async throws {
    let scene = try PushScene()
    let parts = try scene.token(header: ["alg": .string("HS256")]).split(separator: ".")
    let secret = Array(try scene.keys.first.publicKey.webKeyNumbers.modulus.utf8)
    let mac = try HMACKey(secret).code(of: Array("\(parts[0]).\(parts[1])".utf8)[...])
    let token = "\(parts[0]).\(parts[1])." + Base64.encode(mac, .url)
    #expect(await scene.failure(token) == .unsupportedAlgorithm)
  }

  @Test(
    "a header without what is needed is refused",
    arguments: [
      (["kid": .null], .missingKeyID), (["kid": .string("")], .missingKeyID),
      (["kid": .integer(1)], .missingKeyID),
      (["kid": .string(String(repeating: "a", count: 257))], .missingKeyID),
      (["crit": .array([.string("exp")])], .criticalHeader),
      (["kid": .string("b")], .unknownKey),
    ] as [([String: JSONValue], PushTokenFailure)])
  func headers(changes: [String: JSONValue], failure: PushTokenFailure) async throws {
    let scene = try PushScene()
    #expect(await scene.failure(try scene.token(header: changes)) == failure)
  }

  @Test("a signature of another key, or over other content, is refused")
  func signatures() async throws {
    let scene = try PushScene()
    #expect(
      await scene.failure(try scene.token(key: scene.keys.second)) == .invalidSignature)
    let good = try scene.token().split(separator: ".")
    let other = try scene.token(claims: ["sub": .string("1")]).split(separator: ".")
    #expect(await scene.failure("\(good[0]).\(other[1]).\(good[2])") == .invalidSignature)
    #expect(await scene.failure("\(good[0]).\(good[1]).") == .invalidSignature)
    // 256 bytes are 342 digits, of which 336 are 252 bytes.
    let short = String(good[2].dropLast(6))
    #expect(await scene.failure("\(good[0]).\(good[1]).\(short)") == .invalidSignature)
  }

  @Test("what has not the form of a token is refused")
  func forms() async throws {
    let scene = try PushScene()
    let good = try scene.token()
    let parts = good.split(separator: ".").map(String.init)
    for text in [
      "", ".", "..", "a.b", "a.b.c.d", good + ".", parts[0] + "=." + parts[1] + "." + parts[2],
      parts[0] + "." + parts[1] + "+." + parts[2], parts[0] + "." + parts[1] + "." + parts[2] + "=",
      parts[0] + ".e30x." + parts[2], parts[0] + ".W10." + parts[2],
      "W10." + parts[1] + "." + parts[2],
    ] {
      #expect(await scene.failure(text) == .malformed, "\(text.prefix(20))")
    }
    #expect(
      await scene.failure(String(repeating: "a", count: 16_385)) == .tooLarge(limit: 16_384))
    #expect(scene.server.requests.isEmpty)
  }

  @Test("a configuration that cannot work is refused")
  func configurations() throws {
    typealias Change = (inout PushTokenVerifier.Configuration) -> Void
    let cases: [(PushTokenVerifier.ConfigurationFailure, Change)] = [
      (.emptyName, { $0.audience = "" }), (.emptyName, { $0.email = "" }),
      (.malformedURL, { $0.keysURL = "http://example.com/certs" }),
      (.timeOutOfRange, { $0.leeway = .seconds(-1) }),
      (.timeOutOfRange, { $0.leeway = .seconds(Int64.max) }),
      (.timeOutOfRange, { $0.minimumInterval = .zero }), (.timeOutOfRange, { $0.timeout = .zero }),
      (.timeOutOfRange, { $0.outageTolerance = .seconds(8 * 86_400) }),
    ]
    for (expected, change) in cases {
      #expect(throws: expected) { try PushScene(change) }
    }
  }
}
