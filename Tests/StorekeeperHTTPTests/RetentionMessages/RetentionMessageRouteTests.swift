import Foundation
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting
import Testing

@Suite("POST /webhook/apple/retention-message", .timeLimit(.minutes(30)))
struct RetentionMessageRouteTests {
  private static let message = UUID(uuidString: "748BC0C8-F778-4616-8DFF-7F4A8F4DD411") ?? UUID()

  private static var offerV1: PromotionalOfferSignatureV1 {
    var offer = PromotionalOfferSignatureV1(
      encodedSignature: "MEQCIA==", productID: "reader.monthly", nonce: message,
      timestamp: 1_700_000_000_123, keyID: "2X9R4HXF34", offerIdentifier: "half-price")
    offer.appAccountToken = message
    return offer
  }

  /// Each answer with the body that the contract has for it.
  private static let answers: [(RealtimeResponse, String)] = [
    (
      .message(message),
      #"{"message":{"messageIdentifier":"748bc0c8-f778-4616-8dff-7f4a8f4dd411"}}"#
    ),
    (
      .alternateProduct(
        messageIdentifier: message, productID: "reader.yearly", billingPlanType: .monthly),
      #"{"alternateProduct":{"billingPlanType":"MONTHLY","#
        + #""messageIdentifier":"748bc0c8-f778-4616-8dff-7f4a8f4dd411","#
        + #""productId":"reader.yearly"}}"#
    ),
    (
      .alternateProduct(messageIdentifier: message, productID: "reader.yearly"),
      #"{"alternateProduct":{"messageIdentifier":"748bc0c8-f778-4616-8dff-7f4a8f4dd411","#
        + #""productId":"reader.yearly"}}"#
    ),
    (
      .promotionalOffer(messageIdentifier: message, signature: "e30.e30.AAAA"),
      #"{"promotionalOffer":{"messageIdentifier":"748bc0c8-f778-4616-8dff-7f4a8f4dd411","#
        + #""promotionalOfferSignatureV2":"e30.e30.AAAA"}}"#
    ),
    (
      .promotionalOffer(messageIdentifier: message, signatureV1: offerV1),
      #"{"promotionalOffer":{"messageIdentifier":"748bc0c8-f778-4616-8dff-7f4a8f4dd411","#
        + #""promotionalOfferSignatureV1":{"#
        + #""appAccountToken":"748bc0c8-f778-4616-8dff-7f4a8f4dd411","#
        + #""encodedSignature":"MEQCIA==","keyId":"2X9R4HXF34","#
        + #""nonce":"748bc0c8-f778-4616-8dff-7f4a8f4dd411","offerIdentifier":"half-price","#
        + #""productId":"reader.monthly","timestamp":1700000000123}}}"#
    ),
    (
      .advancedCommerce(messageIdentifier: message, data: "c29tZSBkYXRh"),
      #"{"advancedCommerceInfo":{"advancedCommerceData":"c29tZSBkYXRh","#
        + #""messageIdentifier":"748bc0c8-f778-4616-8dff-7f4a8f4dd411"}}"#
    ),
  ]

  @Test("each answer is sent as Apple reads it", arguments: answers.indices)
  func answered(index: Int) async throws {
    let (answer, text) = Self.answers[index]
    let retention = try RetentionScene { _ in answer }
    let scene = try APIScene(retentionMessages: retention.service)
    for mount in ["/api/v1", "/api/sandbox"] {
      let response = try await scene.ask(try retention.body(), on: mount)
      #expect(response.status == 200)
      #expect(response.headers.values(for: .contentType) == ["application/json; charset=utf-8"])
      #expect(String(decoding: response.body, as: UTF8.self) == text)
    }
  }

  @Test("no message is 204 without a body")
  func noMessage() async throws {
    let retention = try RetentionScene()
    let response = try await APIScene(retentionMessages: retention.service)
      .ask(try retention.body())
    #expect(response.status == 204)
    #expect(response.isEmpty)
  }

  @Test("a request for either environment is answered at either mount")
  func environments() async throws {
    let retention = try RetentionScene { .message($0.payload.requestIdentifier) }
    let scene = try APIScene(retentionMessages: retention.service)
    for (mount, environment) in [
      ("/api/v1", "Sandbox"), ("/api/sandbox", "Production"), ("/api/sandbox", "Sandbox"),
    ] {
      let body = try retention.body(["environment": .string(environment)])
      #expect(
        try await scene.ask(body, on: mount).json?["message"]?["messageIdentifier"]
          == .string("d4e1f2a3-1111-4222-8333-944455556666"))
    }
  }

  @Test("a forged request is 403, one of another app 422, one not understood 422")
  func refused() async throws {
    let retention = try RetentionScene()
    let scene = try APIScene(retentionMessages: retention.service)
    let forged = try retention.body(signedBy: TestAuthority())
    #expect(try await scene.ask(forged).refusal == .forbidden)
    #expect(
      try await scene.ask(#"{"signedPayload":"e30.e30.AAAA"}"#).refusal == .forbidden)
    #expect(
      try await scene.ask(retention.body(["environment": .string("Xcode")])).refusal == .forbidden)
    #expect(
      try await scene.ask(retention.body(["appAppleId": .integer(1)])).refusal
        == Refusal("appAppleId", "invalid", "app mismatched"))
    #expect(
      try await scene.ask(retention.body(["productId": .null])).refusal
        == Refusal("signedPayload", "invalid", "signed data is not understood"))
  }

  @Test(
    "what is no JSON object with a signed payload is 400",
    arguments: ["", "[]", "null", "{", "{}", #"{"signedPayload":1}"#])
  func malformed(body: String) async throws {
    let scene = try APIScene(retentionMessages: RetentionScene().service)
    #expect(try await scene.ask(body).refusal == .badJSON)
  }

  @Test("when the time is up it is 503")
  func late() async throws {
    let retention = try RetentionScene { _ in
      let (silence, end) = AsyncStream<Void>.makeStream()
      defer { end.finish() }
      for await _ in silence {}
      return nil
    }
    let scene = try APIScene(retentionMessages: retention.service)
    let body = try retention.body()
    async let response = scene.ask(body)
    await retention.clock.sleepers(reach: 1)
    retention.clock.advance(by: .milliseconds(600))
    #expect(try await response.refusal == .unavailable)
  }

  @Test("an answerer's error is 500; only the observer sees it")
  func failed() async throws {
    let retention = try RetentionScene { _ in throw SecretFailure() }
    let scene = try APIScene(retentionMessages: retention.service)
    let response = try await scene.ask(try retention.body())
    #expect(response.refusal == .failed)
    #expect(!String(decoding: response.body, as: UTF8.self).contains("hunter2"))
    guard case .failed(let error)? = scene.reports.all.last?.outcome else {
      Issue.record("not observed")
      return
    }
    #expect(error is SecretFailure)
    #expect(scene.reports.all.last?.route == "/api/v1/webhook/apple/retention-message")
  }

  @Test("a cancelled request is 503, and observed as cancelled")
  func cancelled() async throws {
    let (asked, ask) = AsyncStream<Void>.makeStream()
    let retention = try RetentionScene { _ in
      ask.finish()
      let (silence, end) = AsyncStream<Void>.makeStream()
      defer { end.finish() }
      for await _ in silence {}
      return nil
    }
    let scene = try APIScene(retentionMessages: retention.service)
    let body = try retention.body()
    let work = Task { try await scene.ask(body) }
    for await _ in asked {}
    work.cancel()
    #expect(try await work.value.refusal == .unavailable)
    guard case .cancelled? = scene.reports.all.last?.outcome else {
      Issue.record("not observed as cancelled")
      return
    }
  }

  @Test("other methods, and bodies too long or coded, are refused as everywhere")
  func common() async throws {
    let scene = try APIScene(retentionMessages: RetentionScene().service, bodyLimit: 10)
    let response = try await scene.send(.get, RetentionScene.path, token: nil)
    #expect(response.refusal == .wrongMethod)
    #expect(response.headers[.allow] == "POST")
    #expect(try await scene.ask(#"{"signedPayload":""}"#).refusal == .tooLarge)
    #expect(
      try await scene.send(
        .post, RetentionScene.path, "{}", token: nil, headers: [.contentEncoding: "gzip"]
      ).refusal == .coded)
  }

  @Test("a host that answers none has no such route, nor has the contract of 2019")
  func none() async throws {
    let without = try APIScene()
    #expect(try await without.ask("{}").refusal == .notFound)
    #expect(without.api.routes.count == 20)
    let scene = try APIScene(retentionMessages: RetentionScene().service)
    #expect(scene.api.routes.count == 22)
    for mount in ["/2019/api/v1", "/2019/api/sandbox"] {
      #expect(try await scene.ask("{}", on: mount).refusal == .notFound)
      #expect(!scene.api.knows(mount + RetentionScene.path))
    }
  }
}
