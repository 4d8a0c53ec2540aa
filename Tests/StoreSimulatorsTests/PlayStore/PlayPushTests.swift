import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperFixtures
import StorekeeperCrypto
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// Source: Google Play Billing, "Real-time developer notifications", and Cloud Pub/Sub on push.
@Suite("The Play store's pushes")
struct PlayPushTests {
  private let scene: PlayScene
  private let play: PlayStoreSimulator

  init() throws {
    scene = try PlayScene()
    play = scene.play
  }

  /// Returns the envelope of a push, and the notification inside.
  private func content(
    _ notification: TestDeveloperNotification
  ) throws -> (envelope: JSONValue, data: JSONValue) {
    let envelope = try JSONValue(parsing: try play.push(notification).body)
    let text = try #require(envelope["message"]?["data"]?.string)
    let data = try #require(Base64.decode(Array(text.utf8)[...], .standard))
    return (envelope, try JSONValue(parsing: data))
  }

  private func last(_ purchase: TestPlayPurchase) throws -> JSONValue {
    try content(#require(purchase.notifications.last)).data
  }

  @Test("a push is a POST of Pub/Sub's message to the address")
  func envelope() throws {
    let purchase = try play.subscribe("reader_standard")
    let notification = try #require(purchase.notifications.first)
    let push = try play.push(notification)
    #expect(push.method == .post)
    #expect(push.url == "https://api.example.com/webhook/google")
    #expect(push.headers[.contentType] == "application/json")
    let (envelope, _) = try content(notification)
    #expect(envelope.names == ["message", "subscription"])
    #expect(
      envelope["subscription"]?.string
        == "projects/example-project/subscriptions/play-notifications")
    let message = envelope["message"]
    #expect(message?["messageId"]?.string == notification.messageID)
    #expect(message?["publishTime"]?.string == "2023-11-14T22:13:20.000Z")
    #expect(message?["attributes"] == .object([:]))
  }

  @Test("a notification about a subscription has the type and the token, and nothing else")
  func subscription() throws {
    let purchase = try play.subscribe("reader_standard")
    #expect(
      try last(purchase)
        == .object([
          "version": .string("1.0"), "packageName": .string("com.example.reader"),
          "eventTimeMillis": .string("1700000000000"),
          "subscriptionNotification": .object([
            "version": .string("1.0"), "notificationType": .integer(4),
            "purchaseToken": .string(purchase.purchaseToken),
          ]),
        ]))
  }

  @Test("the time of an event is a text, or a number")
  func eventTime() throws {
    play.settings.writesEventTimeAsNumber = true
    #expect(
      try last(play.subscribe("reader_standard"))["eventTimeMillis"] == .integer(1_700_000_000_000))
  }

  @Test("one event has one time everywhere, to the millisecond")
  func sameTime() async throws {
    scene.advance(.microseconds(343_999))
    let purchase = try play.buy("reader_gems")
    #expect(try last(purchase)["eventTimeMillis"]?.string == "1700000000343")
    #expect(
      try await scene.product(purchase)["purchaseCompletionTime"]?.string
        == "2023-11-14T22:13:20.343Z")
    try play.revoke(purchase)
    let entry = try await scene.ask("voidedpurchases")["voidedPurchases"]?.first
    #expect(entry?["voidedTimeMillis"]?.string == "1700000000343")
  }

  @Test("notifications about products, voided purchases, refund reviews, and tests")
  func others() throws {
    let product = try play.buy("reader_gems", quantity: 2)
    #expect(
      try last(product)["oneTimeProductNotification"]
        == .object([
          "version": .string("1.0"), "notificationType": .integer(1),
          "purchaseToken": .string(product.purchaseToken), "sku": .string("reader_gems"),
        ]))
    func voided(_ purchase: TestPlayPurchase, type: Int, refund: Int) throws -> JSONValue {
      .object([
        "purchaseToken": .string(purchase.purchaseToken), "orderId": .string(purchase.orderID),
        "productType": .integer(type), "refundType": .integer(refund),
      ])
    }
    #expect(
      try last(play.refund(product, quantity: 1))["voidedPurchaseNotification"]
        == voided(product, type: 2, refund: 2))
    #expect(
      try last(play.revoke(product))["voidedPurchaseNotification"]
        == voided(product, type: 2, refund: 1))
    let subscription = try play.subscribe("reader_standard")
    let review = try last(play.requestRefundReview(of: subscription))[
      "pendingRefundReviewNotification"]
    #expect(
      review
        == .object([
          "version": .string("1.0"), "orderId": .string(subscription.orderID),
          "refundReason": .integer(7),
          "pendingRefundToken": .string(try #require(play.refundReviews.last).pendingRefundToken),
        ]))
    #expect(
      try last(play.revoke(subscription))["voidedPurchaseNotification"]
        == voided(subscription, type: 1, refund: 1))
    let test = try #require(play.sendTestNotification())
    #expect(
      try content(test).data["testNotification"] == .object(["version": .string("1.0")]))
  }

  // MARK: Delivery

  @Test(
    "a status acknowledges, or the push is repeated",
    arguments: [
      (102, true), (200, true), (201, true), (202, true), (204, true), (203, false), (206, false),
      (301, false), (400, false), (401, false), (404, false), (410, false), (422, false),
      (500, false), (503, false),
    ])
  func acknowledged(code: Int, isAcknowledged: Bool) async throws {
    try play.subscribe("reader_standard")
    let server = ScriptedTransport([.status(code), .status(204)])
    let attempts = try await play.deliverPushes(by: server)
    #expect(attempts.map(\.isAcknowledged) == [isAcknowledged])
    #expect(play.duePushes.isEmpty == isAcknowledged)
    #expect(try await play.deliverPushes(by: server).isEmpty == isAcknowledged)
    let ids = server.requests.map { request in
      try? JSONValue(parsing: request.body)["message"]?["messageId"]?.string
    }
    #expect(Set(ids).count == 1, "a repeated push is the same message")
  }

  @Test("without an answer it is repeated too, in the order of the notifications")
  func unanswered() async throws {
    let purchase = try play.acknowledge(play.subscribe("reader_standard"))
    try play.renew(purchase)
    let server = ScriptedTransport([.fails(.timedOut), .status(204)])
    let first = try await play.deliverPushes(by: server)
    #expect(first.map(\.number) == [1, 2])
    #expect(first.map(\.status) == [nil, 204])
    #expect(try await play.deliverPushes(by: server).map(\.number) == [1])
    #expect(play.duePushes.isEmpty)
  }

  @Test("a lost notification is never pushed, and after seven days none is")
  func lost() async throws {
    play.loseNotifications(next: 1)
    let purchase = try play.acknowledge(play.subscribe("reader_standard"))
    #expect(play.notifications.map(\.isLost) == [true])
    #expect(play.duePushes.isEmpty)
    try play.renew(purchase)
    scene.advance(.days(7) - .seconds(1))
    #expect(play.duePushes.map(\.subscriptionType) == [.renewed])
    scene.advance(.seconds(1))
    #expect(play.duePushes.isEmpty)
  }

  // MARK: Bearer tokens

  /// Returns header and claims of a push's token, and whether a published key signed it.
  private func token(
    _ request: HTTPRequestMessage
  ) async throws -> (header: JSONValue, claims: JSONValue, isSigned: Bool) {
    let field = try #require(request.headers[.authorization])
    try #require(field.hasPrefix("Bearer "))
    let parts = field.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    let json = try parts[..<2].map { part in
      try JSONValue(parsing: #require(Base64.decode(Array(part.utf8)[...], .url)))
    }
    let answer = try await play.send(
      HTTPRequestMessage(url: "https://www.googleapis.com/oauth2/v3/certs"))
    let key = try JSONValue(parsing: answer.body)["keys"]?.elements
      .first { $0["kid"] == json[0]["kid"] }
    guard let key, let signature = Base64.decode(Array(parts[2].utf8)[...], .url) else {
      return (json[0], json[1], false)
    }
    let publicKey = try RSAPublicKey(
      modulus: key["n"]?.string ?? "", exponent: key["e"]?.string ?? "")
    return (
      json[0], json[1],
      publicKey.isValid(signature, of: Array("\(parts[0]).\(parts[1])".utf8))
    )
  }

  private func push(_ sender: PlayPushSender = .pubSub) throws -> HTTPRequestMessage {
    try play.push(#require(play.sendTestNotification()), as: sender)
  }

  @Test("the bearer is an OIDC token of an hour, signed with RS256 by a published key")
  func bearer() async throws {
    let (header, claims, isSigned) = try await token(push())
    #expect(isSigned)
    #expect(header["alg"]?.string == "RS256")
    #expect(claims["iss"]?.string == "https://accounts.google.com")
    #expect(claims["aud"]?.string == "https://api.example.com/webhook/google")
    #expect(claims["email"]?.string == "push@example-project.iam.gserviceaccount.com")
    #expect(claims["email_verified"] == .boolean(true))
    #expect(claims["iat"] == .integer(1_700_000_000))
    #expect(claims["exp"] == .integer(1_700_003_600))
  }

  @Test("the audience is what is configured")
  func audience() async throws {
    let scene = try PlayScene(pushes: PlayPushConfiguration(audience: "our-service"))
    let notification = try #require(scene.play.sendTestNotification())
    let field = try #require(scene.play.push(notification).headers[.authorization])
    let part = Array(field.split(separator: ".")[1].utf8)
    let claims = try JSONValue(parsing: #require(Base64.decode(part[...], .url)))
    #expect(claims["aud"]?.string == "our-service")
  }

  @Test("a stranger's token is good, but for the e-mail address")
  func stranger() async throws {
    let (_, claims, isSigned) = try await token(push(.stranger))
    #expect(isSigned)
    #expect(claims["aud"]?.string == "https://api.example.com/webhook/google")
    #expect(claims["email_verified"] == .boolean(true))
    #expect(claims["email"]?.string == "someone@another-project.iam.gserviceaccount.com")
  }

  @Test("each other forgery has the one flaw that it names")
  func forgeries() async throws {
    let good = try await token(push()).claims
    func flaws(_ sender: PlayPushSender) async throws -> Flaws {
      let (_, claims, isSigned) = try await token(push(sender))
      return Flaws(claims.names.filter { claims[$0] != good[$0] }, isSigned: isSigned)
    }
    #expect(try await flaws(.unverifiedEmail) == Flaws(["email_verified"], isSigned: true))
    #expect(try await flaws(.otherAudience) == Flaws(["aud"], isSigned: true))
    #expect(try await flaws(.expired) == Flaws(["iat", "exp"], isSigned: true))
    #expect(try await flaws(.fromTheFuture) == Flaws(["iat", "exp"], isSigned: true))
    #expect(try await flaws(.otherIssuer) == Flaws(["iss"], isSigned: true))
    #expect(try await flaws(.altered) == Flaws(["sub"], isSigned: false))
    #expect(try await flaws(.unknownKey) == Flaws([], isSigned: false))
    #expect(try await flaws(.unsigned) == Flaws([], isSigned: false))
    #expect(try push(.nobody).headers[.authorization] == nil)
  }

  @Test("the keys are JSON Web Keys, which may be kept for a while")
  func keys() async throws {
    let response = try await play.send(
      HTTPRequestMessage(url: "https://www.googleapis.com/oauth2/v3/certs"))
    #expect(response.status == .ok)
    #expect(
      response.headers[.cacheControl] == "public, max-age=19845, must-revalidate, no-transform")
    let keys = try JSONValue(parsing: response.body)["keys"]?.elements ?? []
    #expect(keys.map { $0["kid"]?.string } == play.publishedPushKeyIDs)
    #expect(keys.first?.names == ["kty", "alg", "use", "kid", "n", "e"])
    #expect(keys.first?["kty"]?.string == "RSA")
    #expect(keys.first?["e"]?.string == "AQAB")
  }

  @Test("after a rotation another key signs, and the one before is still published")
  func rotation() async throws {
    let before = try push()
    try play.rotatePushKey()
    #expect(play.publishedPushKeyIDs.count == 2)
    let new = try await token(push())
    #expect(new.isSigned)
    #expect(new.header["kid"]?.string == play.publishedPushKeyIDs.last)
    #expect(try await token(before).isSigned)
    try play.rotatePushKey()
    #expect(play.publishedPushKeyIDs.count == 2)
    #expect(try await !token(before).isSigned)
  }
}

/// The claims of a token that differ from a good one's, and whether a published key signed it.
private struct Flaws: Hashable {
  let claims: Set<String>
  let isSigned: Bool

  init(_ claims: Set<String>, isSigned: Bool) {
    self.claims = claims
    self.isSigned = isSigned
  }
}
