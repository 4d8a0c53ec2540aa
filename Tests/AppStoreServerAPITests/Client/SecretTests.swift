import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperFixtures
import StorekeeperLocks
import Testing

@Suite("Secrets and keys") struct SecretTests {
  /// Everything that a program might print of a value.
  private static func texts(_ value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return [dumped, "\(value)", String(describing: value), String(reflecting: value)]
      .joined(separator: "\n")
  }

  private static let body = "SECRET-BODY-7F3A"

  @Test("No description, dump or mirror shows a token, the key or a body")
  func hidden() async throws {
    let parts = try ClientScene.shared.get()
    let token = try SignedTokens.transaction(["bundleId": .string("com.example.other")])
    let answers: [ScriptedAnswer] = [
      .status(200, Self.body), .status(400, Self.body), .status(401, Self.body),
      .status(500, #"{"errorCode":9990000,"errorMessage":"\#(Self.body)"}"#),
      .status(200, #"{"signedTransactionInfo":"\#(token)"}"#),
      .status(200, #"{"signedTransactionInfo":"\#(token).\#(Self.body)"}"#),
      .failure(
        HTTPTransportFailure(
          .invalidRequest,
          cause: URLError(.badURL, userInfo: ["NSErrorFailingURLKey": Self.body]))),
    ]
    var shown = ""
    for answer in answers {
      let scene = try ClientScene([answer])
      let failure = try await failure {
        try await scene.client.transactionInfo("1", in: .production)
      }
      for value: Any in [
        failure, failure as any Error, scene.client, scene.limiter,
        Result<Int, AppStoreServerFailure>.failure(failure),
        scene.client.transactionHistory(of: "1"), scene.client.configuration,
      ] {
        shown += Self.texts(value)
      }
      shown += Self.texts(try #require(scene.requests.first))
      let bearer = try #require(scene.requests.first?.headers[.authorization])
      let signature = try #require(bearer.split(separator: ".").last)
      #expect(!shown.contains(signature))
    }
    shown += Self.texts(try SigningKey(pem: parts.pem, keyID: ClientScene.keyID))
    #expect(!shown.contains(Self.body))
    #expect(!shown.contains(token))
    #expect(!shown.contains(try #require(token.split(separator: ".").dropFirst().first)))
    for line in parts.pem.split(separator: "\n") where !line.contains("-----") {
      #expect(!shown.contains(line))
    }
    #expect(!shown.contains(ClientScene.issuerID))
  }

  @Test("Verified answers don't show their tokens")
  func answers() async throws {
    let token = try SignedTokens.notification()
    let scene = try ClientScene([
      .status(200, #"{"hasMore":false,"notificationHistory":[{"signedPayload":"\#(token)"}]}"#)
    ])
    let request = NotificationHistoryRequest(
      startDate: ClientScene.begin.addingTimeInterval(-60), endDate: ClientScene.begin)
    for try await page in scene.client.notificationHistory(request, in: .sandbox) {
      #expect(!Self.texts(page).contains(token))
    }
    let history = try ClientScene([try SampleCall.of(.transactionHistory).success])
    let all = try await history.client.transactionHistory(of: "1", in: .sandbox).all()
    let first = try #require(all.transactions.first)
    #expect(!Self.texts(all).contains(first.token))
    #expect(!Self.texts(first).contains(first.token))
  }

  // MARK: Keys

  private final class Keys: SigningKeyProvider {
    struct Missing: Error {}
    let current = Locked<SigningKey?>(nil)
    let asked = Locked(0)
    func signingKey() async throws -> SigningKey {
      asked.withLock { $0 += 1 }
      guard let key = current.withLock({ $0 }) else { throw Missing() }
      return key
    }
  }

  private func client(_ keys: Keys, _ transport: ScriptedTransport) throws -> AppStoreServerClient {
    var configuration = AppStoreServerClient.Configuration()
    let clock = LeapingClock()
    configuration.limiter = RequestLimiter(isLimiting: false, clock: clock)
    configuration.clock = clock
    return try AppStoreServerClient(
      key: keys, issuerID: ClientScene.issuerID, bundleID: ClientScene.bundleID,
      verifier: try ClientScene.verifier(), transport: transport,
      configuration: configuration)
  }

  private func keyID(_ request: HTTPRequestMessage) throws -> String {
    let bearer = try #require(request.headers[.authorization])
    let header = try #require(bearer.dropFirst(7).split(separator: ".").first)
    var text = header.replacingOccurrences(of: "-", with: "+")
      .replacingOccurrences(of: "_", with: "/")
    while text.count % 4 != 0 { text += "=" }
    let data = try #require(Data(base64Encoded: text))
    let members = try JSONDecoder().decode([String: String].self, from: data)
    return try #require(members["kid"])
  }

  @Test("A new key takes effect at the next request, even between two tries")
  func rotation() async throws {
    let pem = try ClientScene.shared.get().pem
    let keys = Keys()
    let next = try SigningKey(pem: pem, keyID: "NEW")
    let old = try SigningKey(pem: pem, keyID: "OLD")
    keys.current.withLock { $0 = old }
    let transport = ScriptedTransport { _, number in
      if number == 2 { keys.current.withLock { $0 = next } }
      return HTTPResponseMessage(status: number == 2 ? 503 : 200)
    }
    let client = try client(keys, transport)
    try await client.finishTransaction("1", in: .sandbox)
    try await client.finishTransaction("1", in: .sandbox)
    #expect(try transport.requests.map(keyID) == ["OLD", "OLD", "NEW"])
    #expect(keys.asked.withLock { $0 } == 3)
  }

  @Test("Without a key nothing is sent")
  func missingKey() async throws {
    let keys = Keys()
    let transport = ScriptedTransport([.status(200)])
    let client = try client(keys, transport)
    let failure = try await failure { try await client.finishTransaction("1", in: .sandbox) }
    #expect(failure.reason.name == "keyUnavailable")
    #expect(failure.cause is Keys.Missing)
    #expect(transport.requests.isEmpty)
  }

  // MARK: Construction

  @Test("A configuration that cannot work is refused")
  func configuration() throws {
    let parts = try ClientScene.shared.get()
    let key = try SigningKey(pem: parts.pem, keyID: "K")
    func failure(
      issuer: String = ClientScene.issuerID, bundleID: String = ClientScene.bundleID,
      environments: Set<AppStoreEnvironment> = .auto,
      _ change: (inout AppStoreServerClient.Configuration) -> Void = { _ in }
    ) throws -> AppStoreServerClient.ConfigurationFailure? {
      var configuration = AppStoreServerClient.Configuration()
      configuration.limiter = RequestLimiter()
      change(&configuration)
      let verifier = try ClientScene.verifier(environments)
      do throws(AppStoreServerClient.ConfigurationFailure) {
        _ = try AppStoreServerClient(
          key: key, issuerID: issuer, bundleID: bundleID,
          verifier: verifier, transport: ScriptedTransport([]),
          configuration: configuration)
        return nil
      } catch {
        return error
      }
    }
    #expect(try failure() == nil)
    #expect(try failure(issuer: "me") == .issuerNotUUID)
    #expect(try failure(bundleID: "com.example.other") == .appNotInVerifier)
    #expect(
      try failure(environments: [.production]) { $0.server = .sandbox } == .environmentNotInVerifier
    )
    #expect(
      try failure { $0.urls = [.xcode: "https://example.com"] } == .environmentNotServed(.xcode))
    for url in [
      "http://example.com", "https://", "https://example.com/", "https://e.com?a", "ftp://e",
      "https://e\n",
    ] {
      #expect(try failure { $0.urls = [.sandbox: url] } == .malformedURL(.sandbox))
    }
    #expect(try failure { $0.timeout = .zero } == .limitNotPositive)
    #expect(try failure { $0.attempts = 0 } == .limitNotPositive)
    #expect(try failure { $0.responseLimit = 0 } == .limitNotPositive)
    #expect(try failure { $0.userAgent = "a\r\nX: y" } == .malformedUserAgent)
  }
}
