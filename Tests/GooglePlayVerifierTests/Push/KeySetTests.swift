import Foundation
import GooglePlayVerifier
import HTTPMessages
import JSONValues
import StorekeeperCrypto
import StorekeeperFixtures
import StorekeeperTesting
import Testing

@Suite("Google's public keys")
struct KeySetTests {
  private static func key(_ id: String, second: Bool = false) throws -> JSONValue {
    let keys = try GoogleKeys.shared.get()
    return try GoogleKeys.webKey(second ? keys.second : keys.first, id: id)
  }

  private static func scene(
    _ answers: [ScriptedAnswer],
    _ change: (inout PushTokenVerifier.Configuration) -> Void = { _ in }
  ) throws -> PushScene { try PushScene(ScriptedTransport(answers), change) }

  // MARK: Keeping

  @Test(
    "keys are kept as long as Cache-Control says, an hour without it, a day at most",
    arguments: [
      ("public, max-age=120, must-revalidate", 120), ("MAX-AGE=120", 120), (nil, 3600),
      ("public", 3600), ("max-age=", 3600), ("max-age=x", 3600), ("max-age=86400", 86_400),
      ("max-age=86401", 86_400), ("max-age=99999999999999999999999", 86_400),
    ] as [(String?, TimeInterval)])
  func lifetime(value: String?, seconds: TimeInterval) async throws {
    let headers: [HTTPHeaderName: String] = value.map { [.cacheControl: $0] } ?? [:]
    let scene = try Self.scene([GoogleKeys.answer([Self.key("a")], headers)])
    let claims = ["exp": JSONValue.integer(1_793_491_200 + 200_000)]
    let token = try scene.token(claims: claims)
    #expect(await scene.failure(token) == nil)
    scene.set(seconds - 1)
    #expect(await scene.failure(token) == nil)
    #expect(scene.server.requests.count == 1)
    scene.set(seconds)
    #expect(await scene.failure(token) == nil)
    #expect(scene.server.requests.count == 2)
  }

  @Test(
    "keys that must not be kept are still asked for only once in a while",
    arguments: ["no-store", "max-age=0"])
  func unkept(value: String) async throws {
    let scene = try Self.scene([GoogleKeys.answer([Self.key("a")], [.cacheControl: value])])
    for _ in 0..<10 { #expect(await scene.failure(try scene.token()) == nil) }
    #expect(scene.server.requests.count == 1)
    scene.set(30)
    #expect(await scene.failure(try scene.token()) == nil)
    #expect(scene.server.requests.count == 2)
  }

  @Test("concurrent requests fetch the keys once")
  func concurrency() async throws {
    let door = Gate()
    let key = try Self.key("a")
    let scene = try PushScene(
      ScriptedTransport { _, _ in
        await door.wait()
        return try GoogleKeys.answer([key]).get()
      })
    let token = try scene.token()
    let failures = await withTaskGroup(of: PushTokenFailure?.self) { group in
      for _ in 0..<50 { group.addTask { await scene.failure(token) } }
      group.addTask {
        while scene.server.requests.isEmpty { await Task.yield() }
        door.open()
        return nil
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(failures.allSatisfy { $0 == nil })
    #expect(scene.server.requests.count == 1)
  }

  // MARK: Unknown keys

  @Test("a new key is found by asking once more")
  func rotation() async throws {
    let scene = try Self.scene([
      GoogleKeys.answer([Self.key("a")]),
      GoogleKeys.answer([Self.key("a"), Self.key("b", second: true)]),
    ])
    #expect(await scene.failure(try scene.token()) == nil)
    scene.set(30)
    let token = try scene.token(header: ["kid": .string("b")], key: scene.keys.second)
    #expect(await scene.failure(token) == nil)
    #expect(await scene.failure(try scene.token()) == nil)
    #expect(scene.server.requests.count == 2)
  }

  @Test("a key that Google took away is unknown after the next fetch")
  func removedKey() async throws {
    let scene = try Self.scene([
      GoogleKeys.answer([Self.key("a")]), GoogleKeys.answer([Self.key("b", second: true)]),
    ])
    let token = try scene.token(claims: ["exp": .integer(1_793_591_200)])
    #expect(await scene.failure(token) == nil)
    scene.set(3600)
    #expect(await scene.failure(token) == .unknownKey)
  }

  @Test("a stranger's tokens make us ask once in a while, not each time")
  func stranger() async throws {
    let scene = try PushScene()
    #expect(await scene.failure(try scene.token()) == nil)
    scene.set(30)
    for number in 0..<20 {
      let token = try scene.token(header: ["kid": .string("x-\(number)")])
      #expect(await scene.failure(token) == .unknownKey)
    }
    #expect(scene.server.requests.count == 2)
    scene.set(59.9)
    _ = await scene.failure(try scene.token(header: ["kid": .string("y")]))
    #expect(scene.server.requests.count == 2)
    scene.set(60)
    _ = await scene.failure(try scene.token(header: ["kid": .string("y")]))
    #expect(scene.server.requests.count == 3)
    // Genuine requests are not held up meanwhile.
    #expect(await scene.failure(try scene.token()) == nil)
  }

  // MARK: Outages

  @Test("keys serve on while Google is away, for a day after their time")
  func outage() async throws {
    let scene = try Self.scene([GoogleKeys.answer([Self.key("a")]), .status(503)])
    let token = try scene.token(claims: ["exp": .integer(1_793_491_200 + 200_000)])
    #expect(await scene.failure(token) == nil)
    for seconds in [3600.0, 50_000, 89_999] {
      scene.set(seconds)
      #expect(await scene.failure(token) == nil, "\(seconds)")
    }
    scene.set(90_000)
    #expect(await scene.failure(token) == .keysUnavailable(.askedRecently))
    scene.set(90_030)
    #expect(await scene.failure(token) == .keysUnavailable(.status(503)))
  }

  @Test("without keys a failure is incidental, and is not asked again at once")
  func noKeys() async throws {
    let scene = try Self.scene([.fails(.notConnected), GoogleKeys.answer([Self.key("a")])])
    let token = try scene.token()
    let first = await scene.failure(token)
    #expect(first == .keysUnavailable(.transport(.notConnected)))
    #expect(first?.isIncidental == true)
    #expect(await scene.failure(token) == .keysUnavailable(.askedRecently))
    #expect(scene.server.requests.count == 1)
    scene.set(30)
    #expect(await scene.failure(token) == nil)
  }

  @Test("an unknown key while Google is away is incidental, because it may be a new one")
  func unknownKeyInOutage() async throws {
    let scene = try Self.scene([GoogleKeys.answer([Self.key("a")]), .fails(.timedOut)])
    #expect(await scene.failure(try scene.token()) == nil)
    scene.set(30)
    let token = try scene.token(header: ["kid": .string("b")], key: scene.keys.second)
    #expect(await scene.failure(token) == .keysUnavailable(.transport(.timedOut)))
    #expect(await scene.failure(try scene.token()) == nil)
  }

  @Test("a bad answer does not replace good keys")
  func badAnswer() async throws {
    let scene = try Self.scene([
      GoogleKeys.answer([Self.key("a")]), .status(200, "<html>"), GoogleKeys.answer([]),
    ])
    let token = try scene.token(claims: ["exp": .integer(1_793_591_200)])
    for seconds in [0.0, 3600, 3630] {
      scene.set(seconds)
      #expect(await scene.failure(token) == nil)
    }
    #expect(scene.server.requests.count == 3)
  }

  // MARK: The set

  @Test(
    "what is no set of keys is refused",
    arguments: [
      (.status(404), .status(404)), (.status(302), .status(302)), (.status(200, ""), .notJSON),
      (
        .status(200, #"{"keys":{}}"#),
        .malformed(FieldTypeFailure(path: "keys", expected: .array, found: .object))
      ),
      (.status(200, "{}"), .noUsableKey), (.status(200, #"{"keys":[1,null,{}]}"#), .noUsableKey),
      (
        .status(200, String(repeating: " ", count: 262_145)), .tooLarge(limit: 262_144)
      ),
    ] as [(ScriptedAnswer, KeySetFailure)])
  func malformedSets(answer: ScriptedAnswer, failure: KeySetFailure) async throws {
    let scene = try Self.scene([answer])
    #expect(await scene.failure(try scene.token()) == .keysUnavailable(failure))
  }

  @Test(
    "a key of another kind or use, or with bad numbers, is left out",
    arguments: [
      ("kty", .string("EC")), ("kty", .null), ("alg", .string("RS512")), ("use", .string("enc")),
      ("n", .null), ("n", .string("AQAB")), ("n", .integer(3)), ("e", .string("Ag")),
      ("e", .string("AQ")), ("e", .null), ("kid", .null), ("kid", .string("")),
    ] as [(String, JSONValue)])
  func unusableKeys(name: String, value: JSONValue) async throws {
    let keys = try GoogleKeys.shared.get()
    let bad = try GoogleKeys.webKey(keys.first, id: "a", [name: value])
    let scene = try Self.scene([GoogleKeys.answer([bad])])
    #expect(await scene.failure(try scene.token()) == .keysUnavailable(.noUsableKey))
    // The others still count.
    let beside = try Self.scene([GoogleKeys.answer([bad, Self.key("b", second: true)])])
    let token = try beside.token(header: ["kid": .string("b")], key: keys.second)
    #expect(await beside.failure(token) == nil)
  }

  @Test("alg and use may be missing, and the first of two keys with one ID counts")
  func usableKeys() async throws {
    let keys = try GoogleKeys.shared.get()
    let plain = try GoogleKeys.webKey(keys.first, id: "a", ["alg": .null, "use": .null])
    let scene = try Self.scene([GoogleKeys.answer([plain, Self.key("a", second: true)])])
    #expect(await scene.failure(try scene.token()) == nil)
    #expect(await scene.failure(try scene.token(key: keys.second)) == .invalidSignature)
  }
}
