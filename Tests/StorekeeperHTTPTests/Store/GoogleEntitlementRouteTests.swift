import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// Source: entitlement rules, sections 7 and 10.
@Suite("Purchase tokens of Google Play over HTTP")
struct GoogleEntitlementRouteTests {
  private struct Shop {
    static let app = "com.example.draw"
    static let now = Date(timeIntervalSince1970: 1_700_000_000)
    static let audience = "https://draw.example.com/api/v1/webhook/google"

    let play: PlayStoreSimulator
    let api: EntitlementAPI

    init(isSoldAtGoogle: Bool = true, receives: Bool = true) throws {
      var pushes = PlayPushConfiguration()
      pushes.url = Self.audience
      pushes.email = "push@draw.iam.gserviceaccount.com"
      play = try PlayStoreSimulator(
        packageName: "com.example.draw.android",
        products: [PlayProduct("frames", .oneTime), PlayProduct("brushes", .oneTime)]
      ) {
        $0.pushes = pushes
        $0.start = Self.now
      }
      let play = play
      var configuration = GooglePlayClient.Configuration()
      configuration.attempts = 1
      configuration.now = { play.now }
      let client = try GooglePlayClient(
        packageName: "com.example.draw.android",
        tokens: AccessTokenSource(
          account: try GoogleServiceAccount(keyFile: play.serviceAccount.keyFile),
          transport: play, now: { play.now }),
        transport: play, configuration: configuration)
      let list = #"[{"identifier": "frames", "productType": "nonConsumable"}]"#
      let service = try EntitlementService(
        PurchaseContext(
          store: InMemoryPurchaseStore(), accounts: UnlistedAccounts(), now: { play.now },
          report: { _ in }),
        apps: [
          EntitledApp(
            bundleID: Self.app, catalog: try ProductCatalog(json: Array(list.utf8)),
            googlePlay: isSoldAtGoogle ? client : nil)
        ])
      var api = EntitlementAPI(
        service,
        users: SessionTokens(
          key: try SessionKey(secret: TestSession.secret), now: { Self.now }))
      if receives {
        api.playNotifications = try PlayNotificationService(
          service.context, play: client,
          tokens: try PushTokenVerifier(
            configuration: .init(audience: Self.audience, email: pushes.email), transport: play,
            now: { play.now }), entitlements: service)
      }
      self.api = api
    }

    func send(
      _ method: HTTPRequestMethod, _ path: String, _ body: String = "", user: String = "u-1"
    ) async throws -> HTTPResponseMessage {
      var fields = HTTPHeaders()
      let session = try TestSession.token(claims: #"{"sub":"\#(user)","exp":1700000600}"#)
      try fields.set("Bearer \(session)", for: .authorization)
      return await api.respond(
        to: HTTPRequestMessage(
          method: method, url: "/api/v1" + path, headers: fields, body: Array(body.utf8)))
    }

    func upload(_ tokens: String, user: String = "u-1") async throws -> HTTPResponseMessage {
      try await send(
        .post, "/store/receipts/validate",
        #"{"userId":"\#(user)","purchaseTokens":[\#(tokens)]}"#, user: user)
    }

    func products(of user: String = "u-1") async throws -> String {
      String(
        decoding: try await send(.get, "/store/users/\(user)/products", user: user).body,
        as: UTF8.self)
    }
  }

  private func text(_ answer: HTTPResponseMessage) -> String {
    "\(answer.status.code) \(String(decoding: answer.body, as: UTF8.self))"
  }

  @Test("a token entitles its user, and nobody else, until Google takes the purchase back")
  func entitles() async throws {
    let shop = try Shop()
    let bought = try shop.play.acknowledge(shop.play.buy("frames"))
    let taken = try await shop.upload("\"\(bought.purchaseToken)\"")
    #expect(
      text(taken).hasPrefix(
        #"200 {"bundleId":"com.example.draw","userId":"u-1","associated":true,"#))
    #expect(text(taken).contains(#""purchasedProducts":["frames"]"#))
    #expect(!text(taken).contains(bought.purchaseToken))
    let other = try await shop.upload("\"\(bought.purchaseToken)\"", user: "u-2")
    #expect(other.status.code == 422)
    #expect(text(other).contains(#""code":"linked_to_other_user""#))
    #expect(try await shop.products().contains(#""allowedProducts":["frames"]"#))

    _ = try shop.play.revoke(bought)
    let pushes = try await shop.play.deliverPushes(by: APITransport(api: shop.api))
    #expect(!pushes.isEmpty)
    let areAcknowledged = pushes.allSatisfy(\.isAcknowledged)
    #expect(areAcknowledged)
    #expect(try await shop.products().contains(#""allowedProducts":[]"#))
  }

  @Test("what is no purchase of the app is refused under the member")
  func refused() async throws {
    let shop = try Shop()
    let pending = try shop.play.buy("frames", PlayTerms(payment: .pending)).purchaseToken
    let tooMany = Array(repeating: "\"a\"", count: 21).joined(separator: ",")
    let elsewhere = try Shop(isSoldAtGoogle: false)
    for (shop, tokens, code) in [
      (shop, "\"nobody's token\"", "invalid"), (shop, "\"\(pending)\"", "invalid"),
      (shop, "\"\"", "invalid"), (shop, "7", "invalid"), (shop, tooMany, "too_many"),
      (elsewhere, "\"\(pending)\"", "invalid"),
    ] {
      let answer = try await shop.upload(tokens)
      #expect(text(answer).hasPrefix("422 "))
      #expect(text(answer).contains(#""field":"purchaseTokens"#), "\(code)")
      #expect(text(answer).contains(#""code":"\#(code)""#))
    }
  }

  @Test("while Google cannot be asked, nothing is taken")
  func outage() async throws {
    let shop = try Shop()
    let bought = try shop.play.buy("frames")
    shop.play.fail(next: nil, with: .backendError, at: .subscription)
    let answer = try await shop.upload("\"\(bought.purchaseToken)\"")
    #expect(answer.status.code == 503)
    #expect(answer.headers["Retry-After"] != nil)
    shop.play.stopFailing()
    #expect(try await shop.products().contains(#""allowedProducts":[]"#))
  }

  @Test("pushes have a path where the host receives them here, and only Pub/Sub's are taken")
  func pushes() async throws {
    #expect(
      try await Shop(receives: false).send(.post, "/webhook/google", "{}").status == .notFound)
    #expect(try await Shop().send(.post, "/webhook/google", "{}").status == .unauthorized)
  }
}

/// An API behind a transport.
private struct APITransport: HTTPTransport {
  let api: EntitlementAPI

  func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
    var request = request
    // The simulator posts to the whole address.
    request.url = "/api/v1/webhook/google"
    return await api.respond(to: request)
  }
}
