import Foundation
import InMemoryStorage
import Storekeeper
import StorekeeperHTTP
import StorekeeperLocks
import StorekeeperTesting
import Testing

/// A vendor whose answer is chosen by the evidence.
private struct ScriptedVendor: PurchaseVendor {
  let vendor = Vendor.apple

  func check(
    _ receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorAnswer {
    switch receiptData {
    case "busy":
      return .incidentalFailure(IncidentalFailure(.busy, retryAfter: .milliseconds(6500)))
    case "away": return .incidentalFailure(IncidentalFailure(.unreachable))
    case _ where receiptData.hasPrefix("good"):
      if purpose == .revalidation, receiptData == "good-once" {
        return .explicitFailure(ExplicitFailure(.expired))
      }
      return .valid(
        VendorPurchase(
          productID: "com.example.snips.pro", expiration: OrderHTTPScene.now + 100.75,
          purchaseKey: PurchaseKey(
            vendor: .apple, environment: .production, identifier: String(receiptData.prefix(40)))))
    default:
      return .explicitFailure(
        ExplicitFailure(ExplicitFailure.Reason(rawValue: receiptData) ?? .invalid))
    }
  }
}

/// The failures of a store, which a test sets.
private final class StoreFaults: Sendable {
  private let failures = Locked<(reading: StorageFailure?, writing: StorageFailure?)>((nil, nil))

  func set(reading: StorageFailure? = nil, writing: StorageFailure?) {
    failures.withLock { $0 = (reading, writing) }
  }

  func check(_ access: WrappedStore.Access) throws {
    let failures = failures.withLock { $0 }
    if let failure = access == .reading ? failures.reading : failures.writing { throw failure }
  }
}

/// The order API on a store in memory.
private struct OrderHTTPScene {
  static let now = Date(timeIntervalSince1970: 1_700_000_000)
  static let serviceToken = "token-of-a-service"
  let api: OrderAPI

  let faults: StoreFaults

  init() async throws {
    let faults = StoreFaults()
    self.faults = faults
    let store = WrappedStore(InMemoryPurchaseStore()) { access, unit in
      try faults.check(access)
      try await unit()
    }
    let service = try OrderService(
      PurchaseContext(store: store, accounts: UnlistedAccounts(), now: { Self.now }),
      vendors: [ScriptedVendor()])
    try await service.replaceLevels(
      with: SubscriptionLevels([
        SubscriptionLevel(
          name: "Pro", description: "Ten portfolios", quota: 10, fee: "9.99",
          appleProductID: "com.example.snips.pro", googleProductID: "pro_monthly"),
        SubscriptionLevel(name: "Free", description: "", quota: 1, fee: "0"),
      ]))
    let entry = BearerTokens.Entry(
      name: "shop", digest: try BearerTokens.digest(of: Self.serviceToken))
    api = OrderAPI(
      service,
      users: SessionTokens(key: try SessionKey(secret: TestSession.secret), now: { Self.now }),
      services: BearerTokens([entry]))
  }

  func send(
    _ method: HTTPRequestMethod, _ path: String, _ body: String = "", user: String? = "u-1",
    token: String? = nil, tag: String? = nil
  ) async throws -> HTTPResponseMessage {
    var fields = HTTPHeaders()
    if let tag { try fields.set(tag, for: .ifNoneMatch) }
    let session = try user.map {
      try TestSession.token(claims: #"{"sub":"\#($0)","exp":1700000600}"#)
    }
    try fields.set("Bearer \(token ?? session ?? Self.serviceToken)", for: .authorization)
    return await api.respond(
      to: HTTPRequestMessage(
        method: method, url: "/api/v1/subscription" + path, headers: fields,
        body: Array(body.utf8)))
  }

  func order(_ receiptData: String, user: String? = "u-1") async throws -> HTTPResponseMessage {
    try await send(
      .post, "/order", #"{"vendor":"apple","receiptData":"\#(receiptData)"}"#, user: user)
  }
}

@Suite("Orders over HTTP (entitlement rules, sections 12 and 14)")
struct OrderRouteTests {
  private static let pro =
    #"{"name":"Pro","description":"Ten portfolios","portfolioLimit":10,"fee":9.99,"#
    + #""appleProductId":"com.example.snips.pro","googleProductId":"pro_monthly""#

  private static let bought =
    pro + #","vendor":"apple","environment":"Production","expiration":"2023-11-14T22:15:00Z"}"#

  @Test("levels come by fee, with all members, for a session and for a service")
  func products() async throws {
    let scene = try await OrderHTTPScene()
    for user in ["u-1", nil] {
      let answer = try await scene.send(.get, "/products", user: user)
      #expect(answer.status == .ok)
      #expect(
        answer.text
          == #"[{"name":"Free","description":"","portfolioLimit":1,"fee":0,"appleProductId":null,"#
          + #""googleProductId":null},\#(Self.pro)}]"#)
    }
    #expect(try await scene.send(.get, "/products", token: "stranger").status.code == 401)
  }

  @Test("an order answers with the subscription, whose end is in whole seconds")
  func order() async throws {
    let scene = try await OrderHTTPScene()
    let answer = try await scene.order("good")
    #expect(answer.status == .ok)
    #expect(
      answer.text == Self.bought)
    #expect(
      try await scene.send(.get, "/current").text
        == #"{"subscription":\#(Self.bought)}"#)
  }

  @Test("a client that has the present subscription gets 304 without a body, until it changes")
  func tags() async throws {
    let scene = try await OrderHTTPScene()
    let none = try #require(await scene.send(.get, "/current").headers[.entityTag])
    let same = try await scene.send(.get, "/current", tag: none)
    #expect(same.status == 304 && same.body.isEmpty && same.headers[.entityTag] == none)
    _ = try await scene.order("good")
    let bought = try await scene.send(.get, "/current", tag: none)
    #expect(bought.text == #"{"subscription":\#(Self.bought)}"#)
    #expect(try await scene.send(.get, "/current", tag: bought.headers[.entityTag]).status == 304)
  }

  @Test("a host's own login encodes a subscription as the routes answer with it")
  func encoded() throws {
    let level = SubscriptionLevel(
      name: "Pro", description: "Ten portfolios", quota: 10, fee: "9.99",
      appleProductID: "com.example.snips.pro", googleProductID: "pro_monthly")
    var subscription = UserSubscription(
      level: level, vendor: .apple, expiration: Date(timeIntervalSince1970: 1_700_000_100.9))
    func encoded() throws -> JSONValue {
      let encoder = JSONEncoder()
      encoder.dateEncodingStrategy = .secondsSince1970
      return try JSONValue(parsing: Array(encoder.encode(["subscription": subscription])))
    }
    #expect(
      try encoded() == JSONValue(parsing: Array(#"{"subscription":\#(Self.bought)}"#.utf8)))
    subscription.isOrderUnacknowledged = true
    subscription.level = SubscriptionLevel(
      name: "Free", description: "", quota: 1, fee: "999999999.999999")
    #expect(
      try encoded()
        == JSONValue(
          parsing: Array(
            """
            {"subscription":{"name":"Free","description":"","portfolioLimit":1,
             "fee":999999999.999999,"appleProductId":null,"googleProductId":null,"vendor":"apple",
             "environment":"Production","expiration":"2023-11-14T22:15:00Z","acknowledged":false}}
            """.utf8)))
  }

  @Test("a subscription that is gone is null, and never left out")
  func gone() async throws {
    let scene = try await OrderHTTPScene()
    #expect(try await scene.send(.get, "/current").text == #"{"subscription":null}"#)
    _ = try await scene.order("good-once")
    let refreshed = try await scene.send(.post, "/token-refresh")
    #expect(refreshed.status == .ok)
    #expect(refreshed.text == #"{"subscription":null}"#)
  }

  @Test(
    "evidence that no row can hold is refused, and what the host made is not the client's fault",
    arguments: [
      (StorageFailure.Field.evidence("purchaseKey"), 422), ("levelName", 503),
      (.caller("userID"), 503),
    ])
  func unstorable(_ field: StorageFailure.Field, _ status: Int) async throws {
    let scene = try await OrderHTTPScene()
    scene.faults.set(writing: .invalidValue(field: field))
    let answer = try await scene.order("good")
    #expect(answer.status.code == status)
    if status == 422 {
      #expect(answer.text.contains(#""field":"receiptData""#), "\(answer.text)")
      #expect(answer.text.contains(#""code":"invalid""#), "\(answer.text)")
    }
  }

  @Test("a token refresh succeeds with what is stored, or null, whatever the store does")
  func brokenStore() async throws {
    let scene = try await OrderHTTPScene()
    _ = try await scene.order("good")
    for (reading, body): (StorageFailure?, String) in [
      (nil, #"{"subscription":\#(Self.bought)}"#), (.conflict, #"{"subscription":null}"#),
    ] {
      scene.faults.set(reading: reading, writing: .conflict)
      let answer = try await scene.send(.post, "/token-refresh")
      #expect(answer.status == .ok)
      #expect(answer.text == body)
      #expect(try await scene.send(.get, "/current").status == .serviceUnavailable)
    }
  }

  @Test(
    "each refusal has its field, code and message",
    arguments: [
      ("invalid", "receiptData is not valid"), ("expired", "the subscription has expired"),
      ("no_subscription", "there is no subscription"),
      ("unknown_product", "the product is not sold here"),
      ("payment_pending", "the payment has not arrived"),
    ])
  func refusals(_ code: String, _ message: String) async throws {
    let answer = try await OrderHTTPScene().order(code)
    #expect(answer.status.code == 422)
    let json = try JSONValue(parsing: answer.body)
    #expect(json["message"] == .string(message))
    #expect(json["error"] == .object(["field": .string("receiptData"), "code": .string(code)]))
  }

  @Test("another user's purchase is already used")
  func alreadyUsed() async throws {
    let scene = try await OrderHTTPScene()
    _ = try await scene.order("good")
    let answer = try await scene.order("good", user: "u-2")
    #expect(answer.status.code == 422)
    #expect(try JSONValue(parsing: answer.body)["error"]?["code"] == .string("already_used"))
  }

  @Test(
    "the shape of an order is checked before the vendor is asked",
    arguments: [
      ("", 400, nil), ("[]", 400, nil), (#"{"vendor":"apple""#, 400, nil),
      (#"{}"#, 422, "vendor missing_field"), (#"{"vendor":null}"#, 422, "vendor missing_field"),
      (#"{"vendor":"amazon","receiptData":"good"}"#, 422, "vendor invalid"),
      (#"{"vendor":7,"receiptData":"good"}"#, 422, "vendor invalid"),
      (#"{"vendor":"apple"}"#, 422, "receiptData missing_field"),
      (#"{"vendor":"apple","receiptData":""}"#, 422, "receiptData missing_field"),
      (#"{"vendor":"apple","receiptData":[]}"#, 422, "receiptData invalid"),
      (#"{"vendor":"apple","receiptData":"a\u0000"}"#, 422, "receiptData invalid"),
    ] as [(String, Int, String?)])
  func shapes(_ body: String, _ status: Int, _ fault: String?) async throws {
    let answer = try await OrderHTTPScene().send(.post, "/order", body)
    #expect(answer.status.code == status)
    let error = try JSONValue(parsing: answer.body)["error"]
    guard let fault else {
      #expect(error == nil)
      return
    }
    guard case .string(let field)? = error?["field"], case .string(let code)? = error?["code"]
    else {
      Issue.record("no field and code")
      return
    }
    #expect("\(field) \(code)" == fault)
  }

  @Test("evidence of more than 1 MiB is invalid, and a body of more than 4 MiB too large")
  func sizes() async throws {
    let scene = try await OrderHTTPScene()
    let long = String(repeating: "A", count: 1 << 20)
    #expect(try await scene.order("good" + long.dropLast(4)).status == .ok)
    #expect(try await scene.order("good" + long).status.code == 422)
    #expect(try await scene.order(String(repeating: long, count: 4)).status.code == 413)
  }

  @Test("a vendor that is away is 503, with its own pause or ours")
  func away() async throws {
    let scene = try await OrderHTTPScene()
    let away = try await scene.order("away")
    #expect(away.status.code == 503)
    #expect(away.headers[.retryAfter] == "30")
    #expect(away.text == #"{"message":"the vendor cannot be reached"}"#)
    #expect(try await scene.order("busy").headers[.retryAfter] == "7")
  }

  @Test("who has no session is 401, and a service is no user")
  func callers() async throws {
    let scene = try await OrderHTTPScene()
    for (method, path) in [
      (HTTPRequestMethod.post, "/order"), (.get, "/current"), (.post, "/token-refresh"),
    ] {
      #expect(try await scene.send(method, path, "{}", token: "stranger").status.code == 401)
      #expect(try await scene.send(method, path, "{}", user: nil).status.code == 403)
    }
    #expect(try await scene.send(.get, "/order").status.code == 405)
    #expect(try await scene.send(.get, "/nothing").status.code == 404)
  }
}
