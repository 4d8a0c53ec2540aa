import Foundation
import InMemoryStorage
import StoreSimulators
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// Source: credit rules, section 11.
@Suite("Credits of Google Play over HTTP")
struct GoogleCreditRouteTests {
  private static let path = "/payments/google/purchases/verify"

  private struct Shop {
    let scene: CreditScene
    let play: PlayStoreSimulator

    init() async throws {
      play = try PlayStoreSimulator(
        packageName: "com.example.gems",
        products: ["gems_big", "gems_other"].map { PlayProduct($0, .oneTime) }
      ) {
        $0.pushes = CreditScene.pushes
        $0.start = CreditScene.now
      }
      var pack = CreditProduct(
        code: "big_pack", appStoreProductID: CreditScene.big, credits: 500)
      pack.googlePlayProductID = "gems_big"
      scene = try await CreditScene(
        products: [pack], play: play)
    }

    /// Whether the last request was no failure of the server, which would call somebody.
    var saysStoreIsAway: Bool {
      if case .refused? = scene.reports.all.last?.outcome { true } else { false }
    }

    func verify(
      _ token: String, code: String = "big_pack", product: String = "gems_big", user: String? = "u1"
    ) async throws -> HTTPResponseMessage {
      try await scene.send(
        .post, GoogleCreditRouteTests.path,
        Array(
          """
          {"productCode":"\(code)","googlePlayProductId":"\(product)","purchaseToken":"\(token)"}
          """.utf8), user: user)
    }
  }

  @Test("a purchase is granted once")
  func grants() async throws {
    let shop = try await Shop()
    let token = try shop.play.buy("gems_big").purchaseToken
    let first = try await shop.verify(token)
    #expect(first.status == .ok)
    let text = String(decoding: first.body, as: UTF8.self)
    #expect(
      text.hasPrefix(#"{"status":"granted","productCode":"big_pack","transactionId":"google:GPA."#))
    #expect(text.contains(#":gems_big","creditsAdded":500,"newBalance":600,"#))
    let second = try await shop.verify(token)
    #expect(
      String(decoding: second.body, as: UTF8.self).hasPrefix(#"{"status":"already_granted","#))
  }

  @Test("refusals are problems that repeat no token")
  func refusals() async throws {
    let shop = try await Shop()
    let pending = try shop.play.buy("gems_big", PlayTerms(payment: .pending)).purchaseToken
    let other = try shop.play.buy("gems_other").purchaseToken
    let refunded = try shop.play.buy("gems_big", by: "two")
    try shop.play.refund(refunded)
    func expect(
      _ answer: HTTPResponseMessage, _ status: HTTPStatusCode, _ end: String,
      _ location: SourceLocation = #_sourceLocation
    ) {
      #expect(answer.status == status, sourceLocation: location)
      let text = String(decoding: answer.body, as: UTF8.self)
      #expect(text.hasSuffix(end), "\(text)", sourceLocation: location)
    }
    expect(try await shop.verify(pending), .conflict, #""code":"PAYMENT_PURCHASE_PENDING"}"#)
    expect(
      try await shop.verify(refunded.purchaseToken), .conflict,
      #""code":"PAYMENT_TRANSACTION_REVOKED"}"#)
    expect(
      try await shop.verify(other), .unprocessableContent,
      #""params":{"productCode":"big_pack","googlePlayProductId":"gems_big"}}"#)
    expect(
      try await shop.verify(pending, product: "x"), .unprocessableContent,
      #""params":{"productCode":"big_pack","googlePlayProductId":"x"}}"#)
    expect(
      try await shop.verify("nobodys"), .unprocessableContent,
      #""params":{"reason":"purchase_not_found"}}"#)
    expect(
      try await shop.verify(pending, code: "no_pack"), .notFound,
      #""params":{"productCode":"no_pack"}}"#)
    expect(
      try await shop.verify(""), .unprocessableContent,
      #""params":{"field":"purchaseToken","reason":"empty"}}"#)
    expect(
      try await shop.verify(#"a\u0000b"#), .unprocessableContent,
      #""params":{"reason":"payload_invalid"}}"#)
    #expect(try await shop.verify(pending, user: nil).status == .unauthorized)
    shop.play.fail(next: nil, with: .error(.serviceUnavailable, reason: "backendError"))
    expect(try await shop.verify(other), .serviceUnavailable, #""code":"SERVICE_UNAVAILABLE"}"#)
    #expect(shop.saysStoreIsAway)
  }

  @Test("Pub/Sub gets 204, a forger 401, and 503 while Google can't be asked")
  func pushes() async throws {
    let shop = try await Shop()
    let purchase = try shop.play.buy("gems_big")
    #expect(try await shop.verify(purchase.purchaseToken).status == .ok)
    try shop.play.refund(purchase)
    let forged = try await shop.scene.send(
      .post, "/payments/google/notifications", Array("{}".utf8), token: "forged")
    #expect(forged.status == .unauthorized)
    shop.play.fail(next: nil, with: .error(.serviceUnavailable, reason: "backendError"))
    let away = try await shop.play.deliverPushes(by: Receiver(api: shop.scene.api))
    #expect(away.last?.status == .serviceUnavailable)
    #expect(shop.saysStoreIsAway)
    shop.play.stopFailing()
    shop.play.clock.advance(by: .seconds(3600))
    let attempts = try await shop.play.deliverPushes(by: Receiver(api: shop.scene.api))
    let areTaken = attempts.allSatisfy(\.isAcknowledged)
    #expect(areTaken)
    let balance = try await shop.scene.send(.get, "/credits/balance")
    #expect(String(decoding: balance.body, as: UTF8.self) == #"{"balance":100}"#)
  }

  private struct Receiver: HTTPTransport {
    let api: CreditAPI
    func send(_ request: HTTPRequestMessage) async throws -> HTTPResponseMessage {
      var request = request
      request.url = "/api/v1/payments/google/notifications"
      return await api.respond(to: request)
    }
  }
}
