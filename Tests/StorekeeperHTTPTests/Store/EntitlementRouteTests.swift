import Foundation
import InMemoryStorage
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting
import Testing

/// The entitlement API on a store in memory, with a test authority as Apple.
private struct StoreScene {
  static let app = "com.example.draw"
  static let now = Date(timeIntervalSince1970: 1_700_000_000)
  static let serviceToken = "token-of-a-service"
  static let authority = try? TestAuthority()

  let api: EntitlementAPI
  let authority: TestAuthority

  init(
    apps: [String] = [app], store: (any PurchaseStore)? = nil, hasUsers: Bool = true,
    mayAct: EntitlementAPI.Permission? = nil
  ) throws {
    let authority = try Self.authority ?? TestAuthority()
    self.authority = authority
    let list = """
      [{"identifier": "com.example.draw.frames", "productType": "nonConsumable"},
       {"identifier": "com.example.draw.brushes", "productType": "nonConsumable",
        "isSubscribersOnly": true},
       {"identifier": "com.example.draw.full", "productType": "renewableSubscription",
        "discountedProducts": ["com.example.draw.full25"]}]
      """
    let catalog = try ProductCatalog(json: Array(list.utf8))
    let service = try EntitlementService(
      PurchaseContext(
        store: store ?? InMemoryPurchaseStore(), accounts: UnlistedAccounts(),
        verifier: try SignedDataVerifier(
          apps: [App(bundleID: Self.app, appAppleID: 1)], environments: [.production, .sandbox],
          trustAnchors: [authority.trustAnchor], now: { Self.now }), now: { Self.now }),
      apps: apps.map { EntitledApp(bundleID: $0, catalog: catalog) })
    let entry = BearerTokens.Entry(
      name: "shop", digest: try BearerTokens.digest(of: Self.serviceToken))
    let users = SessionTokens(
      key: try SessionKey(secret: TestSession.secret), now: { Self.now })
    api = EntitlementAPI(
      service, users: hasUsers ? users : nil, services: BearerTokens([entry]),
      mayAct: mayAct ?? { caller, user, _ in caller.mayAct(for: user) })
  }

  /// Sends a request with a user's session, or as the trusted service.
  func send(
    _ method: HTTPRequestMethod, _ path: String, _ body: String = "", user: String? = "u-1",
    tag: String? = nil
  ) async throws -> HTTPResponseMessage {
    var fields = HTTPHeaders()
    let session = try user.map {
      try TestSession.token(claims: #"{"sub":"\#($0)","exp":1700000600}"#)
    }
    try fields.set("Bearer \(session ?? Self.serviceToken)", for: .authorization)
    if let tag { try fields.set(tag, for: "If-None-Match") }
    return await api.respond(
      to: HTTPRequestMessage(
        method: method, url: "/api/v1/store" + path, headers: fields, body: Array(body.utf8)))
  }

  /// Uploads signed transactions of a user, with that user's session.
  func upload(_ tokens: String..., by user: String = "u-1") async throws -> HTTPResponseMessage {
    let list = tokens.map { "\"\($0)\"" }.joined(separator: ",")
    return try await send(
      .post, "/receipts/validate", #"{"userId":"\#(user)","signedTransactions":[\#(list)]}"#,
      user: user)
  }

  /// The purchase of the subscription, as Apple signs it.
  func subscription() throws -> String {
    try signed("full", "2000000000000009") {
      $0.type = .autoRenewableSubscription
      $0.expiresDate = Self.now.addingTimeInterval(86_400)
    }
  }

  /// The purchase of the frames, as Apple signs it.
  func frames() throws -> String { try signed("frames", "2000000000000001") }

  /// The purchase of a product that is bought once, changed, as Apple signs it.
  func signed(
    _ product: String, _ id: String, change: (inout Transaction) -> Void = { _ in }
  ) throws -> String {
    var transaction = Transaction()
    transaction.transactionID = id
    transaction.originalTransactionID = id
    transaction.bundleID = Self.app
    transaction.productID = "com.example.draw." + product
    transaction.type = .nonConsumable
    transaction.environment = .production
    transaction.purchaseDate = Self.now
    transaction.signedDate = Self.now
    change(&transaction)
    return try authority.sign(transaction)
  }
}

extension HTTPResponseMessage {
  /// The status, and field and code of a refusal.
  fileprivate var storeRefusal: String {
    guard case .object(let members)? = try? JSONValue(parsing: body),
      case .object(let error)? = members["error"], case .string(let field)? = error["field"],
      case .string(let code)? = error["code"]
    else { return "\(status.code)" }
    return "\(status.code) \(field)/\(code)"
  }
}

@Suite("Entitlements over HTTP")
struct EntitlementRouteTests {
  @Test(
    "a value that no row can hold is the fault of the side that it comes from",
    arguments: [
      (StorageFailure.Field.evidence("offer"), "422 receiptData/invalid"),
      (.caller("userID"), "422 userId/invalid"), ("lastFailure", "503"),
    ])
  func unstorable(_ field: StorageFailure.Field, _ refusal: String) async throws {
    let store = WrappedStore(InMemoryPurchaseStore()) { access, unit in
      guard access == .reading else { throw StorageFailure.invalidValue(field: field) }
      try await unit()
    }
    let scene = try StoreScene(store: store)
    let answer = try await scene.send(
      .post, "/users/u-1/acquire", #"{"productId":"com.example.draw.frames"}"#)
    #expect(answer.storeRefusal == refusal)
  }

  @Test("the list of products has their discounts, for users and services, and a tag")
  func catalog() async throws {
    let scene = try StoreScene()
    let expected =
      #"{"bundleId":"com.example.draw","products":["#
      + #"{"identifier":"com.example.draw.frames","productType":"nonConsumable","#
      + #""isSubscribersOnly":false,"discountOf":null,"discountedProducts":[]},"#
      + #"{"identifier":"com.example.draw.brushes","productType":"nonConsumable","#
      + #""isSubscribersOnly":true,"discountOf":null,"discountedProducts":[]},"#
      + #"{"identifier":"com.example.draw.full","productType":"renewableSubscription","#
      + #""isSubscribersOnly":false,"discountOf":null,"#
      + #""discountedProducts":["com.example.draw.full25"]},"#
      + #"{"identifier":"com.example.draw.full25","productType":"renewableSubscription","#
      + #""isSubscribersOnly":false,"discountOf":"com.example.draw.full","discountedProducts":[]}]}"#
    for user in ["u-1", nil] {
      let answer = try await scene.send(.get, "/products", user: user)
      #expect(answer.status == .ok)
      #expect(answer.text == expected)
    }
    let tag = try #require(await scene.send(.get, "/products").headers["ETag"])
    #expect(try await scene.send(.get, "/products", tag: tag).status.code == 304)
    #expect(try await scene.send(.get, "/products?bundleId=com.example.other").status.code == 404)
  }

  @Test("the way to a product is the store's or to acquire it, or is refused (matrix, 18 and 19)")
  func purchaseRoute() async throws {
    let scene = try StoreScene()
    func route(_ product: String, user: String = "u-1") async throws -> HTTPResponseMessage {
      try await scene.send(.get, "/users/\(user)/purchase-route?productId=\(product)")
    }
    let frames = try await route("com.example.draw.frames")
    #expect(
      frames.text
        == #"{"bundleId":"com.example.draw","userId":"u-1","productId":"com.example.draw.frames","#
        + #""route":"storePurchase","discountOf":null,"discountedProducts":[]}"#)
    let discount = try await route("com.example.draw.full25")
    #expect(
      discount.text.hasSuffix(
        #""route":"storePurchase","discountOf":"com.example.draw.full","discountedProducts":[]}"#))
    #expect(
      try await route("com.example.draw.brushes").storeRefusal == "422 userId/not_subscriber")
    #expect(
      try await route("com.example.draw.nope").storeRefusal == "422 productId/unknown_product")
    #expect(
      try await scene.send(.get, "/users/u-1/purchase-route").storeRefusal
        == "422 productId/missing_field")
    #expect(try await route("com.example.draw.frames", user: "u-2").status == .forbidden)
    _ = try await scene.upload(scene.subscription())
    let acquired = try await route("com.example.draw.brushes")
    #expect(acquired.text.contains(#""route":"acquire""#))
  }

  @Test("restoring asks again, and names the purchases whose state could not be learned")
  func restore() async throws {
    let scene = try StoreScene()
    #expect(
      try await scene.send(.post, "/users/u-1/restore", "{}").storeRefusal
        == "422 receiptData/missing_receipt")
    _ = try await scene.upload(scene.frames())
    let answer = try await scene.send(.post, "/users/u-1/restore", "{}")
    #expect(answer.status == .ok)
    let text = answer.text
    #expect(text.contains(#""allowedProducts":["com.example.draw.frames"]"#))
    #expect(text.hasSuffix(#""unknownProducts":[],"failedTransactions":[]}"#))
    #expect(try await scene.send(.post, "/users/u-2/restore", "{}").status == .forbidden)
    #expect(try await scene.send(.post, "/users/u-1/restore", "[]").status.code == 400)
  }

  @Test("a service takes a purchase from a user, so that another one may have it; a user does not")
  func dissociate() async throws {
    let scene = try StoreScene()
    let evidence = try scene.frames()
    func upload(by user: String) async throws -> String {
      try await scene.upload(evidence, by: user).storeRefusal
    }
    #expect(try await upload(by: "u-1") == "200")
    #expect(try await upload(by: "u-2") == "422 userId/linked_to_other_user")
    let body = #"{"originalTransactionId":"2000000000000001"}"#
    #expect(
      try await scene.send(.post, "/users/u-1/dissociate", body).status == .forbidden)
    #expect(
      try await scene.send(.post, "/users/u-1/dissociate", "{}", user: nil).storeRefusal
        == "422 originalTransactionId/missing_field")
    for isRemoved in [true, false] {
      let answer = try await scene.send(.post, "/users/u-1/dissociate", body, user: nil)
      #expect(
        answer.text
          == #"{"originalTransactionId":"2000000000000001","dissociated":\#(isRemoved)}"#)
    }
    #expect(try await upload(by: "u-2") == "200")
    #expect(try await upload(by: "u-1") == "422 userId/linked_to_other_user")
  }

  @Test("answers have the members of the contract in its order")
  func bodies() async throws {
    let scene = try StoreScene()
    let validated = try await scene.send(
      .post, "/receipts/validate",
      #"{"bundleId":"com.example.draw","userId":"u-1","signedTransactions":["\#(scene.frames())"]}"#
    )
    #expect(
      validated.text
        == #"{"bundleId":"com.example.draw","userId":"u-1","associated":true,"#
        + #""evaluatedAt":"2023-11-14T22:13:20Z","validatedAt":"2023-11-14T22:13:20Z","#
        + #""stale":false,"suspended":false,"purchasedProducts":["com.example.draw.frames"],"#
        + #""subscription":null}"#)
    let products = try await scene.send(.get, "/users/u-1/products?bundleId=com.example.draw")
    #expect(
      products.text
        == #"{"bundleId":"com.example.draw","userId":"u-1","#
        + #""evaluatedAt":"2023-11-14T22:13:20Z","validatedAt":"2023-11-14T22:13:20Z","#
        + #""stale":false,"suspended":false,"purchasedProducts":["com.example.draw.frames"],"#
        + #""subscription":null,"allowedProducts":["com.example.draw.frames"],"#
        + #""acquiredProducts":[],"unknownProducts":[]}"#)
    let subscriber = try await scene.send(.get, "/shared/com.example.draw/subscriber?userId=u-1")
    #expect(
      subscriber.text
        == #"{"bundleId":"com.example.draw","userId":"u-1","isSubscriber":false,"#
        + #""productId":null,"expiresAt":null,"validatedAt":"2023-11-14T22:13:20Z"}"#)
  }

  @Test("answers about a subscription, and what it lets acquire, have their members in order")
  func subscriberBodies() async throws {
    let scene = try StoreScene()
    let validated = try await scene.upload(scene.subscription())
    #expect(
      validated.text.hasSuffix(
        #""purchasedProducts":[],"subscription":{"bundleId":"com.example.draw","#
          + #""productId":"com.example.draw.full","environment":"Production","#
          + #""originalTransactionId":"2000000000000009","active":true,"#
          + #""expiresAt":"2023-11-15T22:13:20Z","accessUntil":"2023-11-22T22:13:20Z","#
          + #""cancelledAt":null}}"#))
    for created in [true, false] {
      let acquired = try await scene.send(
        .post, "/users/u-1/acquire", #"{"productId":"com.example.draw.brushes"}"#)
      #expect(
        acquired.text
          == #"{"productId":"com.example.draw.brushes","created":\#(created),"#
          + #""allowedProducts":["com.example.draw.brushes"]}"#)
    }
    let all = #"["com.example.draw.brushes","com.example.draw.frames"]"#
    for created in [#"["com.example.draw.frames"]"#, "[]"] {
      #expect(
        try await scene.send(.post, "/users/u-1/acquire-all", "{}").text
          == #"{"created":\#(created),"acquiredProducts":\#(all),"allowedProducts":\#(all)}"#)
    }
    let subscriber = try await scene.send(.get, "/shared/com.example.draw/subscriber?userId=u-1")
    #expect(
      subscriber.text
        == #"{"bundleId":"com.example.draw","userId":"u-1","isSubscriber":true,"#
        + #""productId":"com.example.draw.full","expiresAt":"2023-11-15T22:13:20Z","#
        + #""validatedAt":"2023-11-14T22:13:20Z"}"#)
  }

  @Test("a client that has the content gets 304 without a body")
  func tags() async throws {
    let scene = try StoreScene()
    let path = "/users/u-1/products"
    let first = try await scene.send(.get, path)
    let tag = try #require(first.headers["ETag"])
    for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
      let same = try await scene.send(.get, path, tag: known)
      #expect(same.status.code == 304 && same.body.isEmpty, "\(known)")
      #expect(same.headers["Content-Length"] == String(first.body.count))
      #expect(same.headers["ETag"] == tag)
      #expect(same.headers[.cacheControl] == "private, no-cache")
    }
    for other in ["\"x\"", "x", String(tag.dropLast(2)) + "\""] {
      #expect(try await scene.send(.get, path, tag: other).status == .ok)
    }
    _ = try await scene.upload(scene.frames())
    #expect(try await scene.send(.get, path, tag: tag).status == .ok)
  }

  @Test("users act for themselves, services for everybody, and a host may rule otherwise")
  func callers() async throws {
    let scene = try StoreScene()
    let path = "/users/u-1/products"
    #expect(try await scene.send(.get, path, user: nil).status == .ok)
    let open = try StoreScene(mayAct: { _, user, _ in user == "u-1" })
    #expect(try await open.send(.get, path, user: "u-2").status == .ok)
    #expect(try await open.send(.get, "/users/u-2/products", user: "u-2").storeRefusal == "403")
    let closed = try StoreScene(hasUsers: false)
    #expect(try await closed.send(.get, path, user: nil).status == .ok)
    for request: (HTTPRequestMethod, String) in [
      (.get, path), (.post, "/users/u-1/acquire"), (.post, "/users/u-1/acquire-all"),
      (.post, "/receipts/validate"), (.get, "/shared/com.example.draw/subscriber?userId=u-1"),
    ] {
      let strange = try await closed.send(request.0, request.1, "{}")
      #expect(strange.storeRefusal == "401")
      #expect(strange.headers.values(for: .authenticate) == ["Bearer"])
      #expect(
        try await scene.send(request.0, request.1, #"{"userId":"u-1"}"#, user: "u-2").storeRefusal
          == "403")
    }
    let wrong: [(HTTPRequestMethod, String, String)] = [
      (.post, path, "405"), (.get, "/receipts/validate", "405"),
      (.delete, "/users/u-1/acquire", "405"), (.get, "/nothing", "404"),
    ]
    for (method, path, status) in wrong {
      #expect(try await scene.send(method, path).storeRefusal == status)
    }
  }

  @Test(
    "each failure has its status, field and code",
    arguments: [
      (.unknownApp, "404"), (.evidenceMissing, "422 receiptData/missing_field"),
      (.receiptMissing, "422 receiptData/missing_receipt"),
      (.receiptsNotSupported, "422 receiptData/invalid"),
      (.transactionsNotSupported, "422 signedTransactions/invalid"),
      (.purchaseTokensNotSupported, "422 purchaseTokens/invalid"),
      (.purchaseTokenInvalid, "422 purchaseTokens/invalid"),
      (.receiptInvalid, "422 receiptData/invalid"),
      (.receiptNotAuthentic, "422 receiptData/not_authentic"),
      (.tooManyTransactions, "422 signedTransactions/too_many"),
      (.transactionInvalid, "422 signedTransactions/invalid"),
      (.transactionNotAuthentic(.signatureInvalid), "422 signedTransactions/not_authentic"),
      (.bundleMismatch, "422 bundleId/mismatch"),
      (.environmentNotAllowed, "422 environment/not_allowed"),
      (.linkedToOtherUser, "422 userId/linked_to_other_user"),
      (.accountTokenMismatch, "422 userId/account_token_mismatch"), (.appStoreUnavailable, "503"),
      (.refused(.unknownProduct), "422 productId/unknown_product"),
      (.refused(.notAcquirable), "422 productId/not_acquirable"),
      (.refused(.notSubscriber), "422 userId/not_subscriber"),
      (.refused(.notUnlocked), "422 productId/not_unlocked"),
    ] as [(EntitlementFailure, String)])
  func failures(_ failure: EntitlementFailure, _ refusal: String) async throws {
    let scene = try StoreScene(mayAct: { _, _, _ in throw failure })
    let answer = try await scene.send(.get, "/users/u-1/products")
    #expect(answer.storeRefusal == refusal)
    #expect(answer.headers.values(for: .retryAfter) == (refusal == "503" ? ["30"] : []))
  }

  @Test(
    "faults of requests name field and code",
    arguments: [
      ("[]", "400"), ("{", "400"), (#"{"bundleId":7}"#, "422 bundleId/invalid"),
      (#"{"bundleId":"com.example.other"}"#, "404"), ("{}", "422 receiptData/missing_field"),
      (#"{"userId":7}"#, "422 userId/invalid"),
      (#"{"userId":"\#(String(repeating: "u", count: 129))"}"#, "422 userId/invalid"),
      (#"{"userId":"u-1"}"#, "422 receiptData/missing_receipt"),
      (#"{"receiptData":7}"#, "422 receiptData/invalid"),
      (#"{"signedTransactions":"a.b.c"}"#, "422 signedTransactions/invalid"),
      (#"{"signedTransactions":[7]}"#, "422 signedTransactions/invalid"),
      (#"{"signedTransactions":["a.b.c"]}"#, "422 signedTransactions/invalid"),
      (#"{"signedTransactions":["x"]}"#, "422 signedTransactions/invalid"),
      (#"{"receiptData":["x"]}"#, "422 receiptData/invalid"), ("", "400"), ("7", "400"),
      (#"{"a":1} x"#, "400"),
      (
        #"{"receiptData":"","userId":null,"signedTransactions":[]}"#,
        "422 receiptData/missing_field"
      ),
    ])
  func faults(_ body: String, _ refusal: String) async throws {
    #expect(
      try await StoreScene().send(.post, "/receipts/validate", body).storeRefusal == refusal)
  }

  @Test("at most 200 signed transactions, and 2 MiB, are taken")
  func tooMany() async throws {
    let large = String(repeating: " ", count: EntitlementAPI.bodyLimit - 1) + "{}"
    #expect(try await StoreScene().send(.post, "/receipts/validate", large).storeRefusal == "413")
    let tokens = Array(repeating: #""a.b.c""#, count: 201).joined(separator: ",")
    #expect(
      try await StoreScene().send(
        .post, "/receipts/validate", #"{"signedTransactions":[\#(tokens)]}"#
      ).storeRefusal == "422 signedTransactions/too_many")
  }

  @Test("only a host with one app lets clients leave the app out")
  func apps() async throws {
    let scene = try StoreScene(apps: [StoreScene.app, "com.example.paint"])
    #expect(
      try await scene.send(.get, "/users/u-1/products").storeRefusal == "422 bundleId/missing_field"
    )
    #expect(
      try await scene.send(.get, "/users/u-1/products?bundleId=com.example.other").storeRefusal
        == "404")
    #expect(try await scene.send(.get, "/shared/%FF/subscriber?userId=u-1").storeRefusal == "404")
    for path in ["/receipts/validate", "/users/u-1/acquire", "/users/u-1/acquire-all"] {
      for (body, refusal) in [
        ("{}", "422 bundleId/missing_field"), (#"{"bundleId":null}"#, "422 bundleId/missing_field"),
        (#"{"bundleId":""}"#, "422 bundleId/missing_field"),
        (#"{"bundleId":7}"#, "422 bundleId/invalid"),
        (#"{"bundleId":"com.example.other"}"#, "404"), ("[]", "400"),
      ] {
        #expect(try await scene.send(.post, path, body).storeRefusal == refusal, "\(path) \(body)")
      }
    }
    #expect(
      try await StoreScene().send(.get, "/shared/com.example.draw/subscriber").storeRefusal
        == "422 userId/missing_field")
  }

  @Test("acquiring says why it is refused")
  func acquire() async throws {
    let scene = try StoreScene()
    for (body, refusal) in [
      (#"{"productId":"com.example.draw.frames"}"#, "422 userId/not_subscriber"),
      (#"{"productId":"com.example.draw.full"}"#, "422 productId/not_acquirable"),
      (#"{"productId":"nope"}"#, "422 productId/unknown_product"),
      (#"{"productId":" com.example.draw.brushes"}"#, "422 productId/unknown_product"),
      (#"{"productId":""}"#, "422 productId/missing_field"), ("{}", "422 productId/missing_field"),
      (#"{"productId":null}"#, "422 productId/missing_field"),
      (#"{"productId":7}"#, "422 productId/invalid"),
    ] {
      #expect(
        try await scene.send(.post, "/users/u-1/acquire", body).storeRefusal == refusal, "\(body)")
    }
    #expect(
      try await scene.send(.post, "/users/u-1/acquire-all", "{}").storeRefusal
        == "422 userId/not_subscriber")
    #expect(try await scene.send(.post, "/users/u-1/acquire-all", "").storeRefusal == "400")
  }

  @Test("user IDs in the path are decoded, and compared byte by byte")
  func users() async throws {
    let scene = try StoreScene()
    for (segment, user) in [("a%20b", "a b"), ("a+b", "a+b"), ("J%C3%BCrgen", "Jürgen")] {
      let answer = try await scene.send(.get, "/users/\(segment)/products", user: nil)
      guard case .object(let members)? = try? JSONValue(parsing: answer.body) else {
        Issue.record("no object")
        continue
      }
      #expect(members["userId"] == .string(user))
    }
    for (segment, user) in [
      ("ann%40example.com", "ann@example.com"), ("a%2Fb", "a/b"),
      (String(repeating: "x", count: 128), String(repeating: "x", count: 128)),
    ] {
      #expect(try await scene.send(.get, "/users/\(segment)/products", user: user).status == .ok)
    }
    let long = String(repeating: "x", count: 129)
    for path in [
      "/users/%FF/products", "/users/\(long)/products",
      "/shared/com.example.draw/subscriber?userId=\(long)",
    ] {
      #expect(try await scene.send(.get, path, user: nil).storeRefusal == "422 userId/invalid")
    }
    #expect(try await scene.send(.get, "/users//products", user: nil).storeRefusal == "404")
    #expect(try await scene.send(.get, "/users/a/b/products", user: nil).storeRefusal == "404")
  }
}
