import Foundation
import HTTPMessages
import JSONValues
import StoreSimulators
import StorekeeperCrypto
import StorekeeperSimulatorControl
import StorekeeperTesting
import Testing

/// A simulator with a Play store beside the App Store.
private struct PlayControlScene: Sendable {
  // Shared, because RSA keys take a while to generate.
  private static let account = try? TestServiceAccount()
  private static let pushKey = try? TestPushKey()

  let base: ControlScene
  let machine: Machine

  init(
    webhook: Webhook = Webhook(), start: Date = ControlScene.start,
    _ change: (inout PlayStoreConfiguration) -> Void = { _ in }
  ) throws {
    let machine = Machine()
    self.machine = machine
    base = try ControlScene(webhook: webhook, machine: machine) { configuration in
      configuration.webhook = nil
      configuration.start = start
      var play = PlayStoreConfiguration()
      play.serviceAccount = Self.account
      play.pushKey = Self.pushKey
      play.pushURL = "http://127.0.0.1:1/webhook/google"
      change(&play)
      configuration.play = play
    }
  }

  func order(_ name: String, _ body: String) async throws -> JSONValue {
    try await base.order("play/\(name)", body)
  }

  func refusal(_ name: String, _ body: String) async throws -> HTTPStatusCode {
    try await base.refusal("play/\(name)", body)
  }

  func state() async throws -> JSONValue {
    let response = await base.send(.get, "/control/play/state")
    try #require(response.status == .ok)
    return try JSONValue(parsing: response.body)
  }

  /// Asks for an access token with the key file, as a server does.
  func token() async throws -> HTTPResponseMessage {
    let bytes = try #require(base.service.serviceAccountKeyFile(address: "http://127.0.0.1:1"))
    let file = try JSONValue(parsing: bytes)
    let now = Int(machine.now.timeIntervalSince1970)
    let parts: [[String: JSONValue]] = [
      ["alg": .string("RS256"), "kid": file["private_key_id"] ?? .null],
      [
        "iss": file["client_email"] ?? .null, "aud": file["token_uri"] ?? .null,
        "scope": .string("https://www.googleapis.com/auth/androidpublisher"),
        "iat": .integer(now), "exp": .integer(now + 3600),
      ],
    ]
    let signed = parts.map { Base64.encode(JSONValue.object($0).serialized, .url) }
      .joined(separator: ".")
    let key = try RSAPrivateKey(pem: file["private_key"]?.text ?? "")
    let assertion = signed + "." + Base64.encode(try key.signature(of: Array(signed.utf8)), .url)
    let grant = "urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer"
    return await base.send(
      .post, "/token", "grant_type=\(grant)&assertion=\(assertion)",
      headers: [.contentType: "application/x-www-form-urlencoded"])
  }

  /// Sends a request about purchases, as a server does.
  func ask(
    _ method: HTTPRequestMethod, _ path: String, token: String? = nil
  ) async throws -> HTTPResponseMessage {
    var bearer = token
    if bearer == nil {
      bearer = try JSONValue(parsing: try await self.token().body)["access_token"]?.text
    }
    var headers: HTTPHeaders = [:]
    try headers.set("Bearer \(bearer ?? "")", for: .authorization)
    return await base.send(
      method, "/androidpublisher/v3/applications/com.example.reader/purchases/\(path)",
      headers: headers)
  }

  var webhook: Webhook { base.webhook }
}

@Suite("The Play store of the simulator program")
struct PlayControlTests {
  private let buy = #"{"customer":"alice","product":"reader_standard"}"#

  private func token(_ answer: JSONValue) throws -> String {
    try #require(answer["purchase"]?["purchaseToken"]?.text)
  }

  @Test("without a Play store its routes are 404")
  func none() async throws {
    let scene = try ControlScene()
    for path in ["/control/play/state", "/oauth2/v3/certs", "/androidpublisher/v3/x"] {
      #expect(await scene.send(.get, path).status == .notFound)
    }
    #expect(await scene.send(.post, "/token").status == .notFound)
    #expect(await scene.send(.post, "/control/play/buy", "{}").status == .notFound)
    #expect(scene.service.serviceAccountKeyFile(address: "http://127.0.0.1:1") == nil)
  }

  @Test("a server gets a token with the key file, asks for a purchase, and acknowledges it")
  func server() async throws {
    let scene = try PlayControlScene()
    let bought = try await scene.order(
      "subscribe",
      #"{"customer":"alice","product":"reader_standard","basePlan":"yearly","account":"u-1"}"#)
    let token = try token(bought)
    let answer = try await scene.ask(.get, "subscriptionsv2/tokens/\(token)")
    #expect(answer.status == .ok)
    let subscription = try JSONValue(parsing: answer.body)
    #expect(subscription["subscriptionState"]?.text == "SUBSCRIPTION_STATE_ACTIVE")
    #expect(
      subscription["externalAccountIdentifiers"]?["obfuscatedExternalAccountId"]?.text == "u-1")
    let path = "subscriptions/reader_standard/tokens/\(token):acknowledge"
    #expect(try await scene.ask(.post, path).status == .noContent)
    let state = try await scene.state()
    #expect(state["purchases"]?.list.map { $0["acknowledged"] } == [.boolean(true)])
    #expect(state["purchases"]?.texts("basePlan") == ["yearly"])
    #expect(state["purchases"]?.texts("expires") == ["2024-11-13T22:13:20Z"])
    let refused = try await scene.ask(.get, "subscriptionsv2/tokens/\(token)", token: "guess")
    #expect(refused.status == .unauthorized)
    let keys = await scene.base.send(.get, "/oauth2/v3/certs")
    #expect(try JSONValue(parsing: keys.body)["keys"]?.list.count == 1)
  }

  @Test("signatures go by the machine's time, wherever the simulator's clock stands")
  func machineTime() async throws {
    let scene = try PlayControlScene(start: ControlScene.start - 90 * 86_400)
    #expect(try await scene.token().status == .ok)
    _ = try await scene.order("subscribe", buy)
    let bearer = try #require(scene.webhook.requests.first?.headers[.authorization])
    let claims = try JSONValue(
      parsing: #require(Base64.decode(Array(bearer.split(separator: ".")[1].utf8)[...], .url)))
    #expect(claims["iat"] == .integer(1_700_000_000))
    #expect(claims["aud"]?.text == "http://127.0.0.1:1/webhook/google")
    let state = try await scene.state()
    #expect(state["now"]?.text == "2023-08-16T22:13:20Z")
  }

  @Test("an order pushes what it caused, and answers with the result")
  func pushed() async throws {
    let scene = try PlayControlScene()
    let bought = try await scene.order("subscribe", buy)
    let push = try #require(scene.webhook.requests.first)
    #expect(push.url == "http://127.0.0.1:1/webhook/google")
    #expect(push.headers[.authorization]?.hasPrefix("Bearer ") == true)
    #expect(bought["notifications"]?.list.map { $0["type"] } == [.integer(4)])
    #expect(bought["notifications"]?.texts("state") == ["accepted"])
    #expect(bought["purchase"]?["state"]?.text == "SUBSCRIPTION_STATE_ACTIVE")
    let renewed = try await scene.order("renew", #"{"customer":"alice"}"#)
    #expect(
      renewed["purchase"]?["orderId"]?.text
        == (bought["purchase"]?["orderId"]?.text ?? "") + "..0")
    let token = try token(bought)
    let canceled = try await scene.order(
      "cancel", #"{"purchaseToken":"\#(token)","by":"developer"}"#)
    #expect(canceled["purchase"]?["state"]?.text == "SUBSCRIPTION_STATE_CANCELED")
    #expect(scene.webhook.requests.count == 3)
    #expect(try await scene.state()["notifications"]?.list.count == 3)
  }

  @Test("an order answers with its own result, whoever began to push its notification")
  func pushedByOthers() async throws {
    let scene = try PlayControlScene()
    await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...200 {
          let bought = try await scene.order(
            "subscribe", #"{"customer":"c\#(number)","product":"reader_standard"}"#)
          #expect(bought["notifications"]?.texts("state") == ["accepted"])
        }
        throw CancellationError()
      }
      for _ in 1...3 {
        group.addTask {
          while !Task.isCancelled { await scene.base.service.pushDueNotifications() }
        }
      }
      await #expect(throws: CancellationError.self) { try await group.next() }
      group.cancelAll()
    }
    #expect(scene.webhook.requests.count == 200)
  }

  @Test(
    "a price in whole units may say so, and one below a unit too",
    arguments: [
      (#""units":6,"nanos":0"#, ["currencyCode": .string("USD"), "units": .string("6")]),
      (
        #""units":0,"nanos":990000000"#,
        ["currencyCode": .string("USD"), "nanos": .integer(990_000_000)]
      ),
    ] as [(String, [String: JSONValue])])
  func zeros(members: String, price: [String: JSONValue]) async throws {
    let scene = try PlayControlScene()
    let bought = try await scene.order("subscribe", buy)
    _ = try await scene.order("changePrice", #"{"customer":"alice",\#(members)}"#)
    let answer = try await scene.ask(.get, "subscriptionsv2/tokens/\(token(bought))")
    let item = try JSONValue(parsing: answer.body)["lineItems"]?.list.first
    let change = item?["autoRenewingPlan"]?["priceChangeDetails"]
    #expect(change?["newPrice"] == .object(price))
  }

  @Test(
    "a part of a price that is none is 400",
    arguments: [
      #""units":-1"#, #""nanos":-1"#, #""nanos":1000000000"#, #""units":"6""#, #""nanos":0.5"#,
    ])
  func wrongPrice(member: String) async throws {
    let scene = try PlayControlScene()
    _ = try await scene.order("subscribe", buy)
    #expect(
      try await scene.refusal("changePrice", #"{"customer":"alice",\#(member)}"#) == .badRequest)
  }

  @Test("each order has its effect")
  func orders() async throws {
    let scene = try PlayControlScene()
    func types(_ name: String, _ body: String) async throws -> [JSONValue?] {
      try await scene.order(name, body)["notifications"]?.list.map { $0["type"] } ?? []
    }
    let alice = #"{"customer":"alice"}"#
    #expect(try await types("subscribe", buy) == [.integer(4)])
    #expect(try await types("acknowledge", alice) == [])
    #expect(try await types("failRenewal", #"{"customer":"alice","days":7}"#) == [.integer(6)])
    #expect(try await types("recover", alice) == [.integer(2)])
    #expect(try await types("failRenewal", alice) == [.integer(5)])
    #expect(try await types("recover", alice) == [.integer(1)])
    #expect(try await types("pause", #"{"customer":"alice","days":7}"#) == [.integer(11)])
    #expect(try await types("pause", alice) == [.integer(11)])
    #expect(try await types("deferPayment", #"{"customer":"alice","days":7}"#) == [.integer(9)])
    #expect(try await types("changePrice", #"{"customer":"alice","units":9}"#) == [.integer(19)])
    #expect(try await types("confirmPrice", alice) == [.integer(8), .integer(19)])
    #expect(try await types("stepUpPrice", #"{"customer":"alice","units":12}"#) == [.integer(22)])
    #expect(try await types("consentToPriceStep", alice) == [.integer(22)])
    #expect(try await types("cancel", alice) == [.integer(3)])
    #expect(try await types("restore", alice) == [.integer(7)])
    #expect(
      try await types(
        "changePlan", #"{"customer":"alice","product":"reader_premium","mode":"DEFERRED"}"#)
        == [.integer(4), .integer(13)])
    #expect(try await types("notify", #"{"customer":"alice","type":99}"#) == [.integer(99)])
    #expect(try await types("requestRefundReview", alice) == [.null])
    #expect(
      try await types("decideRefundReview", #"{"customer":"alice","otherwise":"decline"}"#) == [])
    #expect(try await types("revoke", alice) == [.integer(12), .null])
    #expect(try await types("test", "{}") == [.null])
    let pending = #"{"customer":"bob","product":"reader_gems","quantity":3,"payment":"pending"}"#
    let bob = #"{"customer":"bob"}"#
    #expect(try await types("buy", pending) == [])
    #expect(try await types("completePayment", bob) == [.integer(1)])
    #expect(try await types("refund", #"{"customer":"bob","quantity":1,"reason":1}"#) == [.null])
    #expect(
      try await types("refund", #"{"customer":"bob","access":"kept","source":0}"#) == [])
    #expect(try await types("buy", pending) == [])
    #expect(try await types("cancelPayment", bob) == [.integer(2)])
    let prepaid = #"{"customer":"eve","product":"reader_standard","basePlan":"prepaid-month"}"#
    #expect(try await types("subscribe", prepaid) == [.integer(4)])
    #expect(try await types("acknowledge", #"{"customer":"eve"}"#) == [])
    #expect(try await types("topUp", #"{"customer":"eve"}"#) == [.integer(4), .integer(13)])
    #expect(try await types("expire", #"{"customer":"eve"}"#) == [.integer(13)])
    #expect(try await types("resubscribeOutOfApp", #"{"customer":"eve"}"#) == [.integer(4)])
    #expect(try await types("forget", #"{"customer":"eve"}"#) == [])
  }

  @Test("a push that is not acknowledged is repeated until it is, first within the order")
  func repeated() async throws {
    let scene = try PlayControlScene(webhook: Webhook([500, 206, 404, 410, 204]))
    async let bought = scene.order("subscribe", buy)
    for pause in [Duration.milliseconds(300), .seconds(1)] {
      await scene.base.clock.sleepers(reach: 1)
      scene.base.clock.advance(by: pause)
    }
    #expect(try await bought["notifications"]?.texts("state") == ["repeated"])
    for pause in [Duration.seconds(2), .seconds(4)] {
      await scene.base.clock.sleepers(reach: 1)
      scene.base.clock.advance(by: pause)
    }
    // The last attempt is made by a task of its own.
    while try await scene.state()["notifications"]?.texts("state") != ["accepted"] {
      await Task.yield()
    }
    #expect(scene.webhook.requests.count == 5)
    let ids = scene.webhook.requests.map { request in
      try? JSONValue(parsing: request.body)["message"]?["messageId"]?.text
    }
    #expect(Set(ids).count == 1)
  }

  @Test("advancing the clock does what happens by itself, and tells it")
  func advanced() async throws {
    let scene = try PlayControlScene()
    _ = try await scene.order("subscribe", buy)
    let answer = try await scene.base.order("advance", #"{"days":3}"#)
    #expect(
      answer["playNotifications"]?.texts("kind")
        == ["subscriptionNotification", "voidedPurchaseNotification"])
    #expect(answer["notifications"]?.list.isEmpty == true)
    #expect(
      try await scene.state()["purchases"]?.texts("state") == ["SUBSCRIPTION_STATE_EXPIRED"])
    let voided = try await scene.ask(.get, "voidedpurchases?type=1")
    #expect(
      try JSONValue(parsing: voided.body)["voidedPurchases"]?.list.map { $0["voidedReason"] }
        == [.integer(8)])
  }

  @Test("what happens by itself is told without an order too")
  func byItself() async throws {
    let scene = try PlayControlScene()
    let tester = #"{"customer":"a","product":"reader_gems","buyer":"licenseTester"}"#
    _ = try await scene.order("buy", tester)
    scene.machine.move(by: 180)
    await scene.base.service.pushDueNotifications()
    #expect(
      try await scene.state()["notifications"]?.texts("kind")
        == ["voidedPurchaseNotification", "oneTimeProductNotification"])
    #expect(scene.webhook.requests.count == 2)
  }

  @Test("a notification can be pushed again, also by a stranger; a lost one is not pushed")
  func again() async throws {
    let scene = try PlayControlScene()
    _ = try await scene.order("subscribe", buy)
    for sender in ["pubSub", "stranger", "nobody"] {
      let answer = try await scene.order("push", #"{"number":1,"as":"\#(sender)"}"#)
      #expect(answer["attempt"]?["status"] == .integer(200))
    }
    #expect(scene.webhook.requests.count == 4)
    #expect(scene.webhook.requests.last?.headers[.authorization] == nil)
    #expect(try await scene.refusal("push", #"{"number":9}"#) == .badRequest)
    #expect(try await scene.refusal("push", #"{"number":1,"as":"me"}"#) == .badRequest)
    _ = try await scene.order("lose", "{}")
    let renewed = try await scene.order("renew", #"{"customer":"alice"}"#)
    #expect(renewed["notifications"]?.list.isEmpty == true)
    #expect(try await scene.state()["notifications"]?.texts("state") == ["lost", "accepted"])
    let keys = try await scene.order("rotateKeys", "{}")
    #expect(keys["keys"]?.list.count == 2)
  }

  @Test("without an address nothing is pushed; another one can be set")
  func address() async throws {
    let scene = try PlayControlScene { $0.pushURL = nil }
    _ = try await scene.order("subscribe", buy)
    #expect(scene.webhook.requests.isEmpty)
    #expect(try await scene.state()["notifications"]?.texts("state") == ["unsent"])
    #expect(try await scene.refusal("push", #"{"number":1}"#) == .conflict)
    let url = "http://127.0.0.1:2/pushes"
    _ = try await scene.order("webhook", #"{"url":"\#(url)"}"#)
    _ = try await scene.order("renew", #"{"customer":"alice"}"#)
    #expect(scene.webhook.requests.map(\.url) == [url])
    #expect(try await scene.state()["audience"]?.text == url)
    #expect(try await scene.refusal("webhook", #"{"url":"ftp://x"}"#) == .badRequest)
  }

  @Test("faults and lost access are ordered, and end by order")
  func faults() async throws {
    let scene = try PlayControlScene()
    _ = try await scene.order(
      "fault", #"{"fault":"backendError","at":"voidedPurchases","always":true}"#)
    for _ in 1...2 {
      #expect(try await scene.ask(.get, "voidedpurchases").status == .serviceUnavailable)
    }
    _ = try await scene.order("fault", #"{"fault":"none"}"#)
    #expect(try await scene.ask(.get, "voidedpurchases").status == .ok)
    for (fault, status) in [
      ("authError", HTTPStatusCode.unauthorized), ("permissionDenied", .unauthorized),
      ("projectNotLinked", .forbidden), ("accessNotConfigured", .forbidden),
      ("quotaExceeded", .forbidden), ("tooManyRequests", .tooManyRequests),
      ("html", .badGateway), ("empty", .ok), ("brokenJSON", .ok),
    ] {
      _ = try await scene.order("fault", #"{"fault":"\#(fault)","at":"voidedPurchases"}"#)
      #expect(try await scene.ask(.get, "voidedpurchases").status == status)
    }
    _ = try await scene.order(
      "fault", #"{"fault":"error","status":410,"reason":"purchaseTokenNoLongerValid"}"#)
    #expect(try await scene.ask(.get, "x", token: "x").status == 410)
    for body in [#"{"fault":"rain"}"#, "{}", #"{"fault":"html","at":"nowhere"}"#] {
      #expect(try await scene.refusal("fault", body) == .badRequest)
    }
    let token = try JSONValue(parsing: try await scene.token().body)["access_token"]?.text
    _ = try await scene.order("access", #"{"change":"revokeTokens"}"#)
    #expect(
      try await scene.ask(.get, "voidedpurchases", token: token).status == .unauthorized)
    _ = try await scene.order("access", #"{"change":"deleteKey"}"#)
    #expect(try await scene.token().status == .badRequest)
    _ = try await scene.order("access", #"{"change":"disableAccount"}"#)
    #expect(try await scene.token().status == .unauthorized)
    #expect(try await scene.refusal("access", #"{"change":"all"}"#) == .badRequest)
  }

  @Test("an answer may be slow, and one that never comes ends as 504")
  func slow() async throws {
    let scene = try PlayControlScene()
    let token = try JSONValue(parsing: try await scene.token().body)["access_token"]?.text
    for (fault, pause, status) in [
      (#"{"fault":"slow","seconds":5}"#, Duration.seconds(5), HTTPStatusCode.ok),
      (#"{"fault":"silence"}"#, .seconds(600), 504),
    ] {
      _ = try await scene.order("fault", fault)
      async let answer = scene.ask(.get, "voidedpurchases", token: token)
      await scene.base.clock.sleepers(reach: 1)
      scene.base.clock.advance(by: pause)
      #expect(try await answer.status == status)
    }
  }

  @Test(
    "a wrong body, an unknown purchase and an impossible order are refused",
    arguments: [
      ("subscribe", "{}", HTTPStatusCode.badRequest),
      ("subscribe", #"{"customer":"a","product":"reader_standard","buyer":"me"}"#, .badRequest),
      ("subscribe", #"{"customer":"a","product":"x"}"#, .notFound),
      ("subscribe", #"{"customer":"a","product":"reader_gems"}"#, .badRequest),
      ("subscribe", #"{"customer":"a","product":"reader_standard","basePlan":"x"}"#, .notFound),
      ("subscribe", #"{"customer":"alice","product":"reader_standard"}"#, .conflict),
      ("buy", #"{"customer":"a","product":"reader_gems","quantity":0}"#, .badRequest),
      ("renew", #"{"customer":"nobody"}"#, .notFound),
      ("renew", #"{"purchaseToken":"x"}"#, .notFound), ("renew", "[]", .badRequest),
      ("recover", #"{"customer":"alice"}"#, .conflict),
      ("topUp", #"{"customer":"alice"}"#, .conflict),
      ("cancel", #"{"customer":"alice","by":"nobody"}"#, .badRequest),
      ("changePlan", #"{"customer":"alice","product":"reader_premium"}"#, .conflict),
      ("refund", #"{"customer":"alice","reason":9}"#, .badRequest),
      ("refund", #"{"customer":"alice","order":"GPA.1"}"#, .notFound),
      ("notify", #"{"customer":"alice"}"#, .badRequest),
    ])
  func refused(order: String, body: String, status: HTTPStatusCode) async throws {
    let scene = try PlayControlScene()
    _ = try await scene.order("subscribe", buy)
    #expect(try await scene.refusal(order, body) == status)
    #expect(try await scene.state()["notifications"]?.list.count == 1)
  }

  @Test("a wrong method is 405, and pages of other sites are 403")
  func routes() async throws {
    let scene = try PlayControlScene()
    let response = await scene.base.send(.get, "/control/play/subscribe")
    #expect(response.status == .methodNotAllowed)
    #expect(response.headers["Allow"] == "POST")
    #expect(await scene.base.send(.post, "/control/play/state").status == .methodNotAllowed)
    for path in ["/control/play/state", "/oauth2/v3/certs"] {
      let foreign = await scene.base.send(.get, path, headers: ["Host": "example.org"])
      #expect(foreign.status == .forbidden)
    }
  }

  @Test("the state shows no key and no access token")
  func secrets() async throws {
    let scene = try PlayControlScene()
    let token = try JSONValue(parsing: try await scene.token().body)["access_token"]?.text
    let text = String(decoding: try await scene.state().serialized, as: UTF8.self)
    #expect(!text.contains("PRIVATE"))
    #expect(!text.contains(try #require(token)))
  }
}
