import AppStoreServerAPI
import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperCrypto
import StorekeeperFixtures
import Testing

@Suite("Requests of the client") struct RequestTests {
  @Test("Every call has a sample")
  func samples() {
    #expect(Set(SampleCall.all.map(\.endpoint)) == Set(AppStoreServerEndpoint.allCases))
  }

  @Test("Each call sends the documented request and reads the answer", arguments: SampleCall.all)
  func request(_ call: SampleCall) async throws {
    let scene = try ClientScene([try call.success])
    try await call.run(scene.client, call.named)
    let request = try #require(scene.requests.first)
    #expect(scene.sent == 1)
    #expect(request.method.name == call.method)
    let host =
      call.environment == .production
      ? "https://api.storekit.apple.com" : "https://api.storekit-sandbox.apple.com"
    #expect(request.url == host + call.path)
    #expect(request.body == call.bytes ?? Array(call.body.utf8))
    #expect(request.timeout == .seconds(30))
    #expect(request.responseLimit == 1_048_576)
    try checkHeaders(of: request, contentType: call.bytes == nil ? "application/json" : "image/png")
  }

  @Test("Each call that isn't bound to one server is sent to Production", arguments: SampleCall.all)
  func production(_ call: SampleCall) async throws {
    guard call.only == nil else { return }
    let scene = try ClientScene([.status(200, try call.answer(.production))])
    try await call.run(scene.client, .production)
    #expect(scene.requests.map(\.url) == ["https://api.storekit.apple.com" + call.path])
  }

  private func checkHeaders(of request: HTTPRequestMessage, contentType: String) throws {
    #expect(request.headers[.accept] == "application/json")
    let agent = try #require(request.headers[.userAgent])
    #expect(agent.hasPrefix("storekeeper/"))
    #expect(agent.count > "storekeeper/".count)
    #expect(request.headers[.contentType] == (request.body.isEmpty ? nil : contentType))
    #expect(request.headers.count == (request.body.isEmpty ? 3 : 4))
    let bearer = try #require(request.headers[.authorization])
    try #require(bearer.hasPrefix("Bearer "))
    try checkToken(String(bearer.dropFirst(7)))
  }

  private func checkToken(_ token: String) throws {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    let bytes = try parts.map { try #require(Base64.decode(Array($0.utf8)[...], .url)) }
    let digest = try SHA256.digest(of: Array("\(parts[0]).\(parts[1])".utf8))
    let signature = try #require(ECDSASignature(rawBytes: bytes[2]))
    #expect(try ClientScene.shared.get().publicKey.isValid(signature, forDigest: digest))
    #expect(
      try JSONValue(parsing: bytes[0])
        == .object([
          "alg": .string("ES256"), "typ": .string("JWT"), "kid": .string(ClientScene.keyID),
        ]))
    #expect(
      try JSONValue(parsing: bytes[1])
        == .object([
          "iss": .string(ClientScene.issuerID), "aud": .string("appstoreconnect-v1"),
          "bid": .string(ClientScene.bundleID), "iat": .integer(1_793_491_200),
          "exp": .integer(1_793_491_500),
        ]))
  }

  @Test("The history's filters are sent in the documented order and encoding")
  func filters() async throws {
    let scene = try ClientScene([.status(200, #"{"hasMore":false,"environment":"Sandbox"}"#)])
    var request = TransactionHistoryRequest()
    request.startDate = Date(timeIntervalSince1970: 1_698_148_900)
    request.endDate = Date(timeIntervalSince1970: 1_698_148_950.5)
    request.productIDs = ["a+b/c=&d", "é 😀"]
    request.productTypes = [.consumable, .autoRenewable]
    request.subscriptionGroupIdentifiers = ["20", "21"]
    request.inAppOwnershipType = .familyShared
    request.revoked = false
    request.sort = .descending
    _ = try await scene.client.transactionHistory(
      of: "1", matching: request, since: "r+/=", in: .sandbox
    ).all()
    #expect(
      scene.requests.first?.url == "https://api.storekit-sandbox.apple.com/inApps/v2/history/1"
        + "?revision=r%2B%2F%3D&startDate=1698148900000&endDate=1698148950500"
        + "&productId=a%2Bb%2Fc%3D%26d&productId=%C3%A9%20%F0%9F%98%80"
        + "&productType=CONSUMABLE&productType=AUTO_RENEWABLE"
        + "&subscriptionGroupIdentifier=20&subscriptionGroupIdentifier=21"
        + "&inAppOwnershipType=FAMILY_SHARED&revoked=false&sort=DESCENDING")
  }

  @Test("Addresses, time limit, body limit and user agent are injected")
  func injected() async throws {
    let call = try SampleCall.of(.finishTransaction)
    let scene = try ClientScene([.status(202)]) { configuration in
      configuration.urls = [.sandbox: "http://localhost:8080/apple"]
      configuration.allowsHTTP = true
      configuration.timeout = .seconds(3)
      configuration.responseLimit = 77
      configuration.userAgent = "reader/2"
      configuration.server = .sandbox
    }
    try await call.run(scene.client, nil)
    let request = try #require(scene.requests.first)
    #expect(request.url == "http://localhost:8080/apple" + call.path)
    #expect(request.timeout == .seconds(3))
    #expect(request.responseLimit == 77)
    #expect(request.headers[.userAgent] == "reader/2")
  }

  @Test("Each request has a token of its own time")
  func newToken() async throws {
    let scene = try ClientScene([.status(200)])
    let call = try SampleCall.of(.finishTransaction)
    try await call.run(scene.client, .sandbox)
    scene.clock.pass(.seconds(10))
    try await call.run(scene.client, .sandbox)
    let tokens = scene.requests.map { $0.headers[.authorization] }
    #expect(tokens.count == 2)
    #expect(tokens.first != tokens.last)
  }
}
