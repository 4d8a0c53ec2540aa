import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

/// Source: Google Play Developer API v3, errors and quotas.
@Suite("The Play store's errors")
struct PlayErrorTests {
  @Test("an error has code, message, status and a reason")
  func form() async throws {
    let scene = try PlayScene()
    let response = try await scene.send(.get, "subscriptionsv2/tokens/x")
    #expect(response.status == .badRequest)
    #expect(response.headers[.contentType] == "application/json; charset=UTF-8")
    let error = try #require(JSONValue(parsing: response.body)["error"])
    #expect(error.names == ["code", "message", "status", "errors"])
    #expect(
      error["errors"]?.first?.names
        == ["message", "domain", "reason", "location", "locationType"])
  }

  @Test("a token that can be none is 400 invalid, an unknown one 404 notFound")
  func token() async throws {
    let scene = try PlayScene()
    let unknown = "abcdefghijklmnopqrstuvwx.AO-J1OyGuess"
    for kind in ["subscriptionsv2", "productsv2"] {
      for text in ["short", "with%20spaces%20in%20the%20middle%20of%20it", "%C3%A9"] {
        let response = try await scene.send(.get, "\(kind)/tokens/\(text)")
        #expect(response.failure == Failure(400, "INVALID_ARGUMENT", "invalid"))
      }
      let response = try await scene.send(.get, "\(kind)/tokens/\(unknown)")
      #expect(response.failure == Failure(404, "NOT_FOUND", "notFound"))
    }
  }

  @Test("another package of the developer is 400, one of nobody 404")
  func package() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard")
    let path = "subscriptionsv2/tokens/\(purchase.purchaseToken)"
    let other = try await scene.send(.get, path, package: "com.example.other")
    #expect(
      other.failure
        == Failure(400, "INVALID_ARGUMENT", "purchaseTokenDoesNotMatchPackageName"))
    let nobody = try await scene.send(.get, path, package: "com.example.nobody")
    #expect(nobody.failure == Failure(404, "NOT_FOUND", "notFound"))
  }

  @Test("60 days after its end a subscription is 410, and a forgotten token at once")
  func gone() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.acknowledge(scene.play.subscribe("reader_standard"))
    try scene.play.cancel(purchase)
    scene.advance(.days(90) - .seconds(1))
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_EXPIRED")
    scene.advance(.seconds(1))
    let path = "subscriptionsv2/tokens/\(purchase.purchaseToken)"
    let late = try await scene.send(.get, path)
    #expect(late.status == 410)
    #expect(late.failure.reason == "subscriptionPurchaseNoLongerAvailable")
    let product = try scene.play.buy("reader_gems")
    try scene.play.forget(product)
    let forgotten = try await scene.send(.get, "productsv2/tokens/\(product.purchaseToken)")
    #expect(forgotten.status == 410)
    #expect(forgotten.failure.reason == "purchaseTokenNoLongerValid")
  }

  @Test(
    "a refusal by order has Google's status and reason",
    arguments: [
      (PlayStoreSimulator.Fault.authError, 401, "UNAUTHENTICATED", "authError"),
      (.permissionDenied, 401, "PERMISSION_DENIED", "permissionDenied"),
      (.projectNotLinked, 403, "PERMISSION_DENIED", "projectNotLinked"),
      (.accessNotConfigured, 403, "PERMISSION_DENIED", "accessNotConfigured"),
      (.quotaExceeded, 403, "RESOURCE_EXHAUSTED", "quotaExceeded"),
      (
        .error(.forbidden, reason: "rateLimitExceeded"), 403, "RESOURCE_EXHAUSTED",
        "rateLimitExceeded"
      ),
      (.tooManyRequests(retryAfter: nil), 429, "RESOURCE_EXHAUSTED", "rateLimitExceeded"),
      (.backendError, 503, "UNAVAILABLE", "backendError"),
      (.error(.internalServerError, reason: "backendError"), 500, "INTERNAL", "backendError"),
    ] as [(PlayStoreSimulator.Fault, Int, String, String)])
  func ordered(
    fault: PlayStoreSimulator.Fault, code: Int, status: String, reason: String
  ) async throws {
    let scene = try PlayScene()
    scene.play.fail(with: fault, at: .voidedPurchases)
    let response = try await scene.send(.get, "voidedpurchases")
    #expect(response.status.code == code)
    #expect(response.failure == Failure(code, status, reason))
    #expect(try await scene.send(.get, "voidedpurchases").status == .ok, "one request only")
  }

  @Test("Retry-After is what was ordered")
  func retryAfter() async throws {
    let scene = try PlayScene()
    scene.play.fail(with: .tooManyRequests(retryAfter: "7"), at: .voidedPurchases)
    #expect(try await scene.send(.get, "voidedpurchases").headers[.retryAfter] == "7")
  }

  @Test("a fault may last until it is told to stop, at one method or at any")
  func lasting() async throws {
    let scene = try PlayScene()
    scene.play.fail(next: nil, with: .backendError, at: .voidedPurchases)
    for _ in 1...3 {
      #expect(try await scene.send(.get, "voidedpurchases").status == 503)
    }
    let purchase = try scene.play.subscribe("reader_standard")
    #expect(try await scene.state(purchase) == "SUBSCRIPTION_STATE_ACTIVE")
    scene.play.stopFailing()
    #expect(try await scene.send(.get, "voidedpurchases").status == .ok)
    scene.play.fail(next: 2, with: .backendError)
    let assertion = try scene.assertion()
    for _ in 1...2 { #expect(try await scene.askForToken(assertion).status == 503) }
    #expect(try await scene.askForToken(assertion).status == .ok)
  }

  @Test("a fault of an access token has the form of OAuth")
  func tokenFault() async throws {
    let scene = try PlayScene()
    scene.play.fail(with: .error(.badRequest, reason: "invalid_grant"), at: .token)
    let response = try await scene.askForToken(try scene.assertion())
    #expect(response.status == .badRequest)
    #expect(try JSONValue(parsing: response.body)["error"]?.string == "invalid_grant")
  }

  @Test("answers that cannot be read")
  func unreadable() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard")
    let path = "subscriptionsv2/tokens/\(purchase.purchaseToken)"
    let good = try await scene.send(.get, path)
    func answer(_ fault: PlayStoreSimulator.Fault) async throws -> HTTPResponseMessage {
      scene.play.fail(with: fault, at: .subscription)
      return try await scene.send(.get, path)
    }
    let broken = try await answer(.brokenJSON)
    #expect(broken.status == .ok)
    #expect(broken.body == Array(good.body.prefix(good.body.count / 2)))
    #expect(try await answer(.oversized(100_000)).body.count == 100_000)
    #expect(try await answer(.answer(.ok, .empty)).body.isEmpty)
    #expect(try await answer(.answer(502, .html)).headers[.contentType] == "text/html")
    #expect(try await answer(.redirect("https://example.com/")).status == 302)
  }

  @Test("transport failures, lost answers, slow answers and none at all")
  func transport() async throws {
    let scene = try PlayScene()
    let purchase = try scene.play.subscribe("reader_standard")
    let token = "Bearer " + (try await scene.accessToken())
    @Sendable func acknowledge(timeout: Duration? = nil) async throws -> HTTPResponseMessage {
      try await scene.send(
        .post, "subscriptions/reader_standard/tokens/\(purchase.purchaseToken):acknowledge", "{}",
        authorization: token, timeout: timeout)
    }
    @Sendable func reason() async throws -> HTTPTransportFailure.Reason? {
      do {
        _ = try await acknowledge(timeout: .seconds(10))
        return nil
      } catch let failure as HTTPTransportFailure {
        return failure.reason
      }
    }
    func failure(_ fault: PlayStoreSimulator.Fault) async throws -> HTTPTransportFailure.Reason? {
      scene.play.fail(with: fault)
      return try await reason()
    }
    #expect(try await failure(.transportFailure(.notConnected)) == .notConnected)
    #expect(try scene.play.purchase(purchase.purchaseToken).isAcknowledged == false)
    #expect(try await failure(.answerLost(.timedOut)) == .timedOut)
    #expect(try scene.play.purchase(purchase.purchaseToken).isAcknowledged, "it was carried out")

    scene.play.fail(with: .delay(.seconds(5)))
    async let slow = acknowledge(timeout: .seconds(10))
    await scene.play.clock.sleepers(reach: 1)
    scene.advance(.seconds(5))
    #expect(try await slow.status == .noContent)

    for fault in [PlayStoreSimulator.Fault.delay(.seconds(20)), .silence] {
      scene.play.fail(with: fault)
      async let none = reason()
      await scene.play.clock.sleepers(reach: 1)
      scene.advance(.seconds(10))
      #expect(try await none == .timedOut)
    }
  }

  @Test("requests are recorded with their method and fault, without secrets")
  func recorded() async throws {
    let scene = try PlayScene()
    scene.play.fail(with: .backendError, at: .voidedPurchases)
    _ = try await scene.send(.get, "voidedpurchases")
    _ = try await scene.send(.get, "orders")
    #expect(
      scene.play.requests.map(\.endpoint) == [.token, .voidedPurchases, .token, nil])
    #expect(scene.play.requests.map(\.fault) == [nil, .backendError, nil, nil])
  }

  @Test(
    "what Google does not have is 404",
    arguments: [
      (HTTPRequestMethod.post, "voidedpurchases"), (.get, "subscriptionsv2/tokens"),
      (.post, "subscriptionsv2/tokens/x"), (.get, "orders/GPA.1"),
      (.post, "products/reader_gems/tokens/x:refund"),
      (.post, "products/reader_gems/tokens/x%3Aconsume"),
    ])
  func unknown(method: HTTPRequestMethod, path: String) async throws {
    let scene = try PlayScene()
    #expect(try await scene.send(method, path).status == .notFound)
    #expect(
      try await scene.play.send(HTTPRequestMessage(url: "https://example.com/token")).status
        == .notFound)
  }

  @Test("quotas: so many requests a minute for each kind of purchase")
  func quota() async throws {
    let scene = try PlayScene {
      $0.limitsRequests = true
      $0.requestsPerMinute = 2
    }
    let purchase = try scene.play.subscribe("reader_standard")
    let path = "subscriptionsv2/tokens/\(purchase.purchaseToken)"
    for _ in 1...2 { #expect(try await scene.send(.get, path).status == .ok) }
    #expect(
      try await scene.send(.get, path).failure
        == Failure(429, "RESOURCE_EXHAUSTED", "rateLimitExceeded"))
    // Updates count apart.
    #expect(try await scene.acknowledge(purchase).status == .noContent)
    scene.advance(.seconds(60))
    #expect(try await scene.send(.get, path).status == .ok)
  }

  @Test("voided purchases: 30 requests in half a minute, and so many a day")
  func voidedQuota() async throws {
    let scene = try PlayScene {
      $0.limitsRequests = true
      $0.voidedRequestsPerDay = 31
    }
    let token = "Bearer " + (try await scene.accessToken())
    func failure() async throws -> String? {
      try await scene.send(.get, "voidedpurchases", authorization: token).failure.reason
    }
    for _ in 1...30 { #expect(try await failure() == nil) }
    #expect(try await failure() == "rateLimitExceeded")
    scene.advance(.seconds(30))
    #expect(try await failure() == nil)
    #expect(try await failure() == "quotaExceeded")
  }

  @Test("Google's numbers")
  func numbers() {
    let settings = PlayStoreSimulator.Settings()
    #expect(settings.requestsPerMinute == 3000)
    #expect(settings.voidedRequestsPerDay == 6000)
    #expect(settings.voidedRequestsPerHalfMinute == 30)
  }
}
