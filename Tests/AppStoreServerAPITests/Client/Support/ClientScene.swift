import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperCrypto
import StorekeeperFixtures
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// A client with a transport in memory and a limiter of its own.
struct ClientScene {
  static let bundleID = "com.example.reader"
  static let appAppleID = 1_234_567_890
  static let issuerID = "99b16628-15e4-4668-972b-eeff55eeff55"
  static let keyID = "2X9R4HXF34"
  /// The time at which every scene begins, in whole milliseconds: 2026-11-01T00:00:00.250Z.
  static let begin = Date(timeIntervalSince1970: 1_793_491_200.250)
  static let milliseconds = 1_793_491_200_250

  static let shared = Result { try Authority() }

  /// The authority of signed data and the key of requests, which all scenes share.
  struct Authority: Sendable {
    let authority: TestAuthority
    let pem: String
    let publicKey: PublicKey

    init() throws {
      authority = try TestAuthority()
      let key = try PrivateKey(generating: .p256)
      pem = try key.pem
      publicKey = try key.publicKey
    }
  }

  let parts: Authority
  let transport: ScriptedTransport
  let clock: LeapingClock
  let limiter: RequestLimiter
  let client: AppStoreServerClient

  init(
    _ answers: [ScriptedAnswer], environments: Set<AppStoreEnvironment> = .auto,
    limiter: RequestLimiter? = nil, chance: Double = 0,
    _ change: (inout AppStoreServerClient.Configuration) -> Void = { _ in }
  ) throws {
    try self.init(
      ScriptedTransport(answers), environments: environments, limiter: limiter, chance: chance,
      change)
  }

  init(
    _ transport: ScriptedTransport, environments: Set<AppStoreEnvironment> = .auto,
    limiter: RequestLimiter? = nil, clock: LeapingClock = LeapingClock(), chance: Double = 0,
    _ change: (inout AppStoreServerClient.Configuration) -> Void = { _ in }
  ) throws {
    let limiter = limiter ?? RequestLimiter(isLimiting: false, clock: clock)
    var configuration = AppStoreServerClient.Configuration()
    configuration.limiter = limiter
    configuration.clock = clock
    configuration.now = { Self.begin.addingTimeInterval(clock.now.elapsed / .seconds(1)) }
    configuration.chance = { chance }
    change(&configuration)
    parts = try Self.shared.get()
    self.clock = clock
    self.transport = transport
    self.limiter = limiter
    client = try AppStoreServerClient(
      key: try SigningKey(pem: parts.pem, keyID: Self.keyID), issuerID: Self.issuerID,
      bundleID: Self.bundleID, verifier: try Self.verifier(environments), transport: transport,
      configuration: configuration)
  }

  /// A verifier of the scenes' app and environments.
  static func verifier(
    _ environments: Set<AppStoreEnvironment> = .auto
  ) throws -> SignedDataVerifier {
    try SignedDataVerifier(
      apps: [App(bundleID: bundleID, appAppleID: appAppleID)], environments: environments,
      trustAnchors: [try shared.get().authority.trustAnchor], now: { begin })
  }

  /// The requests so far.
  var requests: [HTTPRequestMessage] { transport.requests }
  /// The number of requests so far.
  var sent: Int { transport.requests.count }
}

extension ScriptedAnswer {
  /// Apple's error with a code, whose first three digits are the status.
  static func code(_ code: Int, _ headers: HTTPHeaders = [:]) -> Self {
    .status(
      code / 10_000, #"{"errorCode":\#(code),"errorMessage":"Message of \#(code)."}"#, headers)
  }
}

/// Returns the failure of a call, or records an issue if it has none.
func failure<Value>(
  sourceLocation: SourceLocation = #_sourceLocation, _ call: () async throws -> Value
) async throws -> AppStoreServerFailure {
  do {
    _ = try await call()
  } catch let failure as AppStoreServerFailure {
    return failure
  }
  Issue.record("The call succeeded.", sourceLocation: sourceLocation)
  throw CancellationError()
}
