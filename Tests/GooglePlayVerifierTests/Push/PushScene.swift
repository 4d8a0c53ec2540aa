import Foundation
import GooglePlayVerifier
import HTTPMessages
import JSONValues
import StorekeeperCrypto
import StorekeeperFixtures
import StorekeeperTesting

/// Keys with which tests sign in Google's place.
struct GoogleKeys: Sendable {
  static let shared = Result { try GoogleKeys() }

  let first: RSAPrivateKey
  let second: RSAPrivateKey

  private init() throws {
    first = try RSAPrivateKey(PrivateKey(generating: .rsa2048))
    second = try RSAPrivateKey(PrivateKey(generating: .rsa2048))
  }

  /// A public key in the form of Google's set.
  static func webKey(
    _ key: RSAPrivateKey, id: String, _ changes: [String: JSONValue] = [:]
  ) throws -> JSONValue {
    let numbers = try key.publicKey.webKeyNumbers
    var members: [String: JSONValue] = [
      "kty": .string("RSA"), "alg": .string("RS256"), "use": .string("sig"), "kid": .string(id),
      "n": .string(numbers.modulus), "e": .string(numbers.exponent),
    ]
    for (name, value) in changes { members[name] = value == .null ? nil : value }
    return .object(members)
  }

  /// An answer with a set of keys.
  static func answer(
    _ keys: [JSONValue], _ headers: [HTTPHeaderName: String] = [:]
  ) -> ScriptedAnswer {
    let body = JSONValue.object(["keys": .array(keys)]).serialized
    return .status(200, String(decoding: body, as: UTF8.self), headers: headers)
  }
}

/// A verifier of push tokens with a fake Google and a clock of its own.
final class PushScene: Sendable {
  static let audience = "https://api.example.com/play"
  static let email = "push@reader.iam.gserviceaccount.com"

  let server: ScriptedTransport
  let verifier: PushTokenVerifier
  let keys: GoogleKeys
  private let time = SettableTime()

  init(
    _ server: ScriptedTransport,
    _ change: (inout PushTokenVerifier.Configuration) -> Void = { _ in }
  ) throws {
    let time = time
    self.server = server
    keys = try GoogleKeys.shared.get()
    var configuration = PushTokenVerifier.Configuration(
      audience: Self.audience, email: Self.email)
    change(&configuration)
    verifier = try PushTokenVerifier(
      configuration: configuration, transport: server, now: { time.now })
  }

  /// Creates a scene in which Google has the first key as `a`.
  convenience init(
    _ change: (inout PushTokenVerifier.Configuration) -> Void = { _ in }
  ) throws {
    let key = try GoogleKeys.webKey(GoogleKeys.shared.get().first, id: "a")
    try self.init(ScriptedTransport([GoogleKeys.answer([key])]), change)
  }

  /// Sets the clock to a number of seconds after the begin.
  func set(_ seconds: TimeInterval) {
    time.set(seconds)
  }

  /// Returns a token that the verifier accepts at the begin, with members changed; null takes one
  /// away.
  func token(
    header: [String: JSONValue] = [:], claims: [String: JSONValue] = [:],
    key: RSAPrivateKey? = nil
  ) throws -> String {
    var heads: [String: JSONValue] = [
      "alg": .string("RS256"), "kid": .string("a"), "typ": .string("JWT"),
    ]
    var members: [String: JSONValue] = [
      "iss": .string("https://accounts.google.com"), "aud": .string(Self.audience),
      "azp": .string("113774264463038321964"), "email": .string(Self.email),
      "email_verified": .boolean(true), "sub": .string("113774264463038321964"),
      "iat": .integer(1_793_491_200), "exp": .integer(1_793_494_800),
    ]
    for (name, value) in header { heads[name] = value == .null ? nil : value }
    for (name, value) in claims { members[name] = value == .null ? nil : value }
    let content =
      Base64.encode(JSONValue.object(heads).serialized, .url) + "."
      + Base64.encode(JSONValue.object(members).serialized, .url)
    let signature = try (key ?? keys.first).signature(of: Array(content.utf8))
    return content + "." + Base64.encode(signature, .url)
  }

  /// Returns the failure of a token, or nil if it is accepted.
  func failure(_ token: String) async -> PushTokenFailure? {
    do throws(PushTokenFailure) {
      try await verifier.check(token: token)
      return nil
    } catch {
      return error
    }
  }
}
