import Foundation
import InMemoryStorage
import JWSVerifier
import Storekeeper
import StorekeeperCrypto
import StorekeeperHTTP
import StorekeeperTesting
import Testing

@Suite("Statements over HTTP")
struct StatementRouteTests {
  private static let app = "com.example.draw"
  private static let now = Date(timeIntervalSince1970: 1_700_000_000)
  private static let path = "/users/u-1/entitlements/statement?bundleId=com.example.draw"

  /// The API of a host with an app, and with keys or without.
  private static func api(_ keys: [StatementKey]?, app: String = app) throws -> EntitlementAPI {
    let service = try EntitlementService(
      PurchaseContext(
        store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(), now: { Self.now }),
      apps: [
        EntitledApp(bundleID: app, catalog: try ProductCatalog(json: Array("[]".utf8)))
      ])
    let entry = BearerTokens.Entry(name: "shop", digest: try BearerTokens.digest(of: "token"))
    var api = EntitlementAPI(
      service,
      users: SessionTokens(key: try SessionKey(secret: TestSession.secret), now: { Self.now }),
      services: BearerTokens([entry]))
    if let keys {
      let keys = try StatementKeys(keys)
      api.statements = StatementService(service) { keys }
    }
    return api
  }

  private static func key(_ kind: PrivateKey.Generated = .ed25519) throws -> StatementKey {
    try StatementKey(pem: try PrivateKey(generating: kind).pem)
  }

  private func send(
    _ path: String, to api: EntitlementAPI, method: HTTPRequestMethod = .get,
    token: String? = nil, user: String? = "u-1"
  ) async throws -> HTTPResponseMessage {
    var fields = HTTPHeaders()
    let session = try user.map {
      try TestSession.token(claims: #"{"sub":"\#($0)","exp":1700000600}"#)
    }
    if let token = token ?? session { try fields.set("Bearer \(token)", for: .authorization) }
    return await api.respond(
      to: HTTPRequestMessage(method: method, url: "/api/v1/store" + path, headers: fields))
  }

  @Test("a user and a service get a statement, which is kept nowhere on its way")
  func statement() async throws {
    let key = try Self.key()
    let api = try Self.api([key])
    for token in [nil, "token"] {
      let answer = try await send(Self.path, to: api, token: token)
      #expect(answer.status == .ok)
      #expect(answer.headers[.contentType] == "application/jose")
      #expect(answer.headers[.cacheControl] == "no-store")
      let parts = String(decoding: answer.body, as: UTF8.self).split(separator: ".")
      #expect(parts.count == 3)
      let payload = try #require(Base64.decode(Array(parts[1].utf8)[...], .url))
      #expect(
        String(decoding: payload, as: UTF8.self)
          == #"{"ask":1700021600,"aud":"com.example.draw","complete":true,"counter":1700000000000,"#
          + #""env":[],"exp":1700086400,"iat":1700000000,"products":[],"sub":"u-1"}"#)
      let signature = try #require(Base64.decode(Array(parts[2].utf8)[...], .url))
      #expect(key.publicKey.isValid(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
    }
  }

  @Test("the environments may be named, and no others than those two")
  func environments() async throws {
    let api = try Self.api([Self.key()])
    for named in ["Production", "Sandbox", "Production,Sandbox"] {
      #expect(try await send(Self.path + "&environment=\(named)", to: api).status == .ok)
    }
    for wrong in ["Moon", "Production,", "Xcode", "production"] {
      let answer = try await send(Self.path + "&environment=\(wrong)", to: api)
      #expect(answer.status == .unprocessableContent)
      #expect(
        String(decoding: answer.body, as: UTF8.self)
          .contains(#""error":{"code":"invalid","field":"environment"}"#))
    }
  }

  @Test("the only app may be left out; others are unknown")
  func apps() async throws {
    let api = try Self.api([Self.key()])
    #expect(try await send("/users/u-1/entitlements/statement", to: api).status == .ok)
    let unknown = "/users/u-1/entitlements/statement?bundleId=com.example.nope"
    #expect(try await send(unknown, to: api).status == .notFound)
  }

  @Test("nobody gets the statement of another user, or without a token")
  func authorization() async throws {
    let api = try Self.api([Self.key()])
    #expect(try await send(Self.path, to: api, user: "u-2").status.code == 403)
    #expect(try await send(Self.path, to: api, user: nil).status.code == 401)
    #expect(try await send(Self.path, to: api, method: .post).status.code == 405)
  }

  @Test("everybody gets the public keys, the signing one first, and may keep them for minutes")
  func keys() async throws {
    let keys = [try Self.key(.p256), try Self.key()]
    let answer = try await send("/entitlements/keys", to: Self.api(keys), user: nil)
    #expect(answer.status == .ok)
    #expect(answer.headers[.contentType] == "application/jwk-set+json")
    #expect(answer.headers[.cacheControl] == "public, max-age=300")
    let set = try StatementKeySet(parsing: answer.body)
    #expect(set.keys.map(\.keyID) == keys.map(\.publicKey.keyID))
    let text = String(decoding: answer.body, as: UTF8.self)
    // The private number of a key is its member d (RFC 7518 section 6.2.2, RFC 8037 section 2).
    #expect(!text.contains(#""d""#))
  }

  @Test("without keys, both paths are unknown routes")
  func withoutKeys() async throws {
    let api = try Self.api(nil)
    for path in [Self.path, "/entitlements/keys"] {
      let answer = try await send(path, to: api)
      let unknown = try await send("/nowhere", to: api)
      #expect(answer.status == .notFound)
      #expect(answer.body == unknown.body)
      #expect(!api.knows("/api/v1/store" + path))
    }
    #expect(try Self.api([Self.key()]).routes.count == api.routes.count + 2)
  }

  @Test("a user ID that leaves no room is the fault of the caller")
  func tooLong() async throws {
    let id = String(repeating: "%01", count: 128)
    let answer = try await send(
      "/users/\(id)/entitlements/statement", to: Self.api([Self.key()]), token: "token")
    #expect(answer.status.code == 422)
    #expect(
      String(decoding: answer.body, as: UTF8.self)
        == #"{"error":{"code":"too_long","field":"userId"},"#
        + #""message":"the user ID is too long for a signed statement"}"#)
  }
}
