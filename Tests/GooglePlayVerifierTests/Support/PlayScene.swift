import Foundation
import GooglePlayVerifier
import HTTPMessages
import JSONValues
import StorekeeperCrypto
import StorekeeperFixtures
import StorekeeperTesting
import Testing

/// A service account whose key all tests share.
struct TestAccount: Sendable {
  static let shared = Result { try TestAccount() }

  let key: RSAPrivateKey
  let pem: String
  let account: GoogleServiceAccount

  private init() throws {
    let key = try PrivateKey(generating: .rsa2048)
    self.key = try RSAPrivateKey(key)
    pem = try key.pem
    account = try GoogleServiceAccount(
      clientEmail: "play@reader.iam.gserviceaccount.com", privateKey: pem, privateKeyID: "key-1")
  }
}

/// A client of a fake Play store, and a source of tokens.
struct PlayScene {
  static let packageName = "com.example.reader"
  /// The time at which every scene begins: 2026-11-01T00:00:00Z.
  static let begin = Date(timeIntervalSince1970: 1_793_491_200)
  /// The part of an address before what belongs to the app.
  static let app =
    "https://androidpublisher.googleapis.com/androidpublisher/v3/applications/com.example.reader/"
  /// The part of an address before the kind of purchase.
  static let base = app + "purchases/"

  let play: ScriptedTransport
  let tokenServer: ScriptedTransport
  let tokens: AccessTokenSource
  let clock = ManualClock()
  let client: GooglePlayClient

  /// Creates a scene that has an access token already, unless told otherwise.
  init(
    _ answers: [ScriptedAnswer], tokenAnswers: [ScriptedAnswer]? = nil, hasToken: Bool = true,
    chance: Double = 0, _ change: (inout GooglePlayClient.Configuration) -> Void = { _ in }
  ) async throws {
    try await self.init(
      ScriptedTransport(answers), tokenAnswers: tokenAnswers, hasToken: hasToken, chance: chance,
      change)
  }

  init(
    _ play: ScriptedTransport, tokenAnswers: [ScriptedAnswer]? = nil, hasToken: Bool = true,
    chance: Double = 0, _ change: (inout GooglePlayClient.Configuration) -> Void = { _ in }
  ) async throws {
    self.play = play
    let clock = clock
    let now = { @Sendable in Self.begin.addingTimeInterval(clock.now.elapsed / .seconds(1)) }
    if let tokenAnswers {
      tokenServer = ScriptedTransport(tokenAnswers)
    } else {
      tokenServer = ScriptedTransport { _, number in try Self.token("token-\(number)").get() }
    }
    tokens = AccessTokenSource(
      account: try TestAccount.shared.get().account, transport: tokenServer, now: now)
    var configuration = GooglePlayClient.Configuration()
    configuration.clock = clock
    configuration.now = now
    configuration.chance = { chance }
    change(&configuration)
    client = try GooglePlayClient(
      packageName: Self.packageName, tokens: tokens, transport: play,
      configuration: configuration)
    if hasToken { _ = try await tokens.token() }
  }

  /// An answer with an access token.
  static func token(_ text: String, lifetime: Int = 3599) -> ScriptedAnswer {
    .status(
      200, #"{"access_token":"\#(text)","expires_in":\#(lifetime),"token_type":"Bearer"}"#)
  }

  /// Moves the clock from each pause to the next, and expects that no pause is shorter or longer.
  func pass(_ pauses: [Duration], sourceLocation: SourceLocation = #_sourceLocation) async {
    for pause in pauses {
      await clock.sleepers(reach: 1)
      let count = play.requests.count
      clock.advance(by: pause - .milliseconds(1))
      #expect(play.requests.count == count, sourceLocation: sourceLocation)
      clock.advance(by: .milliseconds(1))
    }
  }
}

/// Returns the failure of a call, or records an issue if it has none.
func failure<Value>(
  sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Value
) async throws -> GooglePlayFailure {
  do {
    _ = try await call()
  } catch let failure as GooglePlayFailure {
    return failure
  }
  Issue.record("The call succeeded.", sourceLocation: sourceLocation)
  throw CancellationError()
}

/// Parses JSON.
func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

/// Everything that a program might print of a value.
func printed(_ value: Any) -> String {
  var dumped = ""
  dump(value, to: &dumped)
  return [dumped, "\(value)", String(describing: value), String(reflecting: value)]
    .joined(separator: "\n")
}
