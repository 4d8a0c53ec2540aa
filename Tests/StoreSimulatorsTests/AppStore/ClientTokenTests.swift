import HTTPMessages
import JSONValues
import StoreSimulators
import StorekeeperCrypto
import StorekeeperTesting
import Testing

/// The bearer tokens of clients other than this package's.
@Suite("Bearer tokens of other clients at the App Store simulator")
struct ClientTokenTests {
  /// 1_700_000_000 seconds after 1970, the simulator's time.
  private static let now = 1_700_000_000

  /// Claims that a test leaves out or adds.
  typealias Claims = [String: JSONValue?]

  /// Sends a request with a token whose claims are Apple's own client's, changed by some.
  private func status(_ changes: Claims) async throws -> HTTPStatusCode {
    let appStore = try AppStoreSimulator(bundleID: "com.example.reader") {
      $0.authority = try Self.authority.get()
    }
    let key = appStore.serverAPIKey
    // The order and the choice of Apple's app-store-server-library for Python: no `iat`.
    var claims: [String: JSONValue] = [
      "bid": .string("com.example.reader"), "iss": .string(key.issuerID),
      "aud": .string("appstoreconnect-v1"), "exp": .integer(Self.now + 300),
    ]
    for (name, value) in changes { claims[name] = value }
    let header: [String: JSONValue] = [
      "alg": .string("ES256"), "kid": .string(key.keyID), "typ": .string("JWT"),
    ]
    let content = [header, claims].map { Base64.encode(JSONValue.object($0).serialized, .url) }
      .joined(separator: ".")
    let der = try PrivateKey(pem: key.pem).signature(of: Array(content.utf8))
    let signature = try #require(ECDSASignature(der: der)).rawBytes
    var headers: HTTPHeaders = [:]
    try headers.set("Bearer \(content).\(Base64.encode(signature, .url))", for: .authorization)
    return try await appStore.send(
      HTTPRequestMessage(
        method: .get, url: "https://api.storekit.apple.com/inApps/v1/transactions/1",
        headers: headers)
    ).status
  }

  private static let authority = Result { try TestAuthority.forReceipts() }

  @Test("a token without iat is let in, as Apple's own client sends it")
  func withoutIssueDate() async throws {
    // The transaction is unknown, so the token was let in.
    #expect(try await status([:]) == .notFound)
  }

  @Test("a token without iat ends within an hour from now", arguments: [3600, 3601])
  func hour(seconds: Int) async throws {
    let status = try await status(["exp": .integer(Self.now + seconds)])
    #expect(status == (seconds == 3600 ? .notFound : .unauthorized))
  }

  @Test(
    "a wrong iat or exp is refused, whatever the other says",
    arguments: [
      ["exp": nil], ["exp": .integer(now)], ["exp": .integer(now - 1)], ["exp": .string("soon")],
      ["iat": .string("now")], ["iat": .null], ["iat": .boolean(true)],
      ["iat": .integer(now + 60)],
      ["iat": .integer(now - 3400), "exp": .integer(now + 201)],
    ] as [Claims])
  func wrongDates(claims: Claims) async throws {
    #expect(try await status(claims) == .unauthorized)
  }

  @Test(
    "a wrong audience, issuer or app is refused without iat too",
    arguments: ["aud", "iss", "bid"])
  func wrongNames(claim: String) async throws {
    #expect(try await status([claim: .string("another")]) == .unauthorized)
    #expect(try await status([claim: JSONValue?.none]) == .unauthorized)
  }
}
