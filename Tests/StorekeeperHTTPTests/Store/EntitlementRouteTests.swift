import EntitlementPolicy
import HTTPMessages
import InMemoryStorage
import JSONValues
import JWSVerifier
import PurchaseStorage
import ReceiptModels
import Storekeeper
import StorekeeperHTTP
import StorekeeperTesting
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

  /// The purchase of the subscription, as Apple signs it.
  func subscription() throws -> String {
    var transaction = Transaction()
    transaction.transactionID = "2000000000000009"
    transaction.originalTransactionID = "2000000000000009"
    transaction.bundleID = Self.app
    transaction.productID = "com.example.draw.full"
    transaction.type = .autoRenewableSubscription
    transaction.environment = .production
    transaction.purchaseDate = Self.now
    transaction.expiresDate = Self.now.addingTimeInterval(86_400)
    transaction.signedDate = Self.now
    return try authority.sign(transaction)
  }

  /// The purchase of the frames, as Apple signs it.
  func frames(_ id: String = "2000000000000001") throws -> String {
    var transaction = Transaction()
    transaction.transactionID = id
    transaction.originalTransactionID = id
    transaction.bundleID = Self.app
    transaction.productID = "com.example.draw.frames"
    transaction.type = .nonConsumable
    transaction.environment = .production
    transaction.purchaseDate = Self.now
    transaction.signedDate = Self.now
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
      #expect(String(decoding: answer.body, as: UTF8.self) == expected)
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
      String(decoding: frames.body, as: UTF8.self)
        == #"{"bundleId":"com.example.draw","userId":"u-1","productId":"com.example.draw.frames","#
        + #""route":"storePurchase","discountOf":null,"discountedProducts":[]}"#)
    let discount = try await route("com.example.draw.full25")
    #expect(
      String(decoding: discount.body, as: UTF8.self).hasSuffix(
        #""route":"storePurchase","discountOf":"com.example.draw.full","discountedProducts":[]}"#))
    #expect(
      try await route("com.example.draw.brushes").storeRefusal == "422 userId/not_subscriber")
    #expect(
      try await route("com.example.draw.nope").storeRefusal == "422 productId/unknown_product")
    #expect(
      try await scene.send(.get, "/users/u-1/purchase-route").storeRefusal
        == "422 productId/missing_field")
    #expect(try await route("com.example.draw.frames", user: "u-2").status == .forbidden)
    _ = try await scene.send(
      .post, "/receipts/validate",
      #"{"userId":"u-1","signedTransactions":["\#(scene.subscription())"]}"#)
    let acquired = try await route("com.example.draw.brushes")
    #expect(String(decoding: acquired.body, as: UTF8.self).contains(#""route":"acquire""#))
  }

  @Test("restoring asks again, and names the purchases whose state could not be learned")
  func restore() async throws {
    let scene = try StoreScene()
    #expect(
      try await scene.send(.post, "/users/u-1/restore", "{}").storeRefusal
        == "422 receiptData/missing_receipt")
    _ = try await scene.send(
      .post, "/receipts/validate",
      #"{"userId":"u-1","signedTransactions":["\#(scene.frames())"]}"#)
    let answer = try await scene.send(.post, "/users/u-1/restore", "{}")
    #expect(answer.status == .ok)
    let text = String(decoding: answer.body, as: UTF8.self)
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
      try await scene.send(
        .post, "/receipts/validate",
        #"{"userId":"\#(user)","signedTransactions":["\#(evidence)"]}"#, user: user
      ).storeRefusal
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
        String(decoding: answer.body, as: UTF8.self)
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
      String(decoding: validated.body, as: UTF8.self)
        == #"{"bundleId":"com.example.draw","userId":"u-1","associated":true,"#
        + #""evaluatedAt":"2023-11-14T22:13:20Z","validatedAt":"2023-11-14T22:13:20Z","#
        + #""stale":false,"suspended":false,"purchasedProducts":["com.example.draw.frames"],"#
        + #""subscription":null}"#)
    let products = try await scene.send(.get, "/users/u-1/products?bundleId=com.example.draw")
    #expect(
      String(decoding: products.body, as: UTF8.self)
        == #"{"bundleId":"com.example.draw","userId":"u-1","#
        + #""evaluatedAt":"2023-11-14T22:13:20Z","validatedAt":"2023-11-14T22:13:20Z","#
        + #""stale":false,"suspended":false,"purchasedProducts":["com.example.draw.frames"],"#
        + #""subscription":null,"allowedProducts":["com.example.draw.frames"],"#
        + #""acquiredProducts":[],"unknownProducts":[]}"#)
    let subscriber = try await scene.send(.get, "/shared/com.example.draw/subscriber?userId=u-1")
    #expect(
      String(decoding: subscriber.body, as: UTF8.self)
        == #"{"bundleId":"com.example.draw","userId":"u-1","isSubscriber":false,"#
        + #""productId":null,"expiresAt":null,"validatedAt":"2023-11-14T22:13:20Z"}"#)
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
      #expect(same.headers["ETag"] == tag)
      #expect(same.headers[.cacheControl] == "private, no-cache")
    }
    #expect(try await scene.send(.get, path, tag: "\"x\"").status == .ok)
    _ = try await scene.send(
      .post, "/receipts/validate", #"{"userId":"u-1","signedTransactions":["\#(scene.frames())"]}"#)
    #expect(try await scene.send(.get, path, tag: tag).status == .ok)
  }

  @Test("users act for themselves, services for everybody, and a host may rule otherwise")
  func callers() async throws {
    let scene = try StoreScene()
    let path = "/users/u-1/products"
    #expect(try await scene.send(.get, path, user: "u-2").storeRefusal == "403")
    #expect(try await scene.send(.get, path, user: nil).status == .ok)
    #expect(
      try await scene.send(.post, "/receipts/validate", #"{"userId":"u-1"}"#, user: "u-2")
        .storeRefusal
        == "403")
    #expect(
      try await scene.send(.get, "/shared/com.example.draw/subscriber?userId=u-1", user: "u-2")
        .storeRefusal == "403")
    let open = try StoreScene(mayAct: { _, user, _ in user == "u-1" })
    #expect(try await open.send(.get, path, user: "u-2").status == .ok)
    #expect(try await open.send(.get, "/users/u-2/products", user: "u-2").storeRefusal == "403")
    let closed = try StoreScene(hasUsers: false)
    #expect(try await closed.send(.get, path).storeRefusal == "401")
    #expect(try await closed.send(.get, path, user: nil).status == .ok)
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
    ])
  func faults(_ body: String, _ refusal: String) async throws {
    #expect(
      try await StoreScene().send(.post, "/receipts/validate", body).storeRefusal == refusal)
  }

  @Test("at most 200 signed transactions are taken")
  func tooMany() async throws {
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
    #expect(
      try await StoreScene().send(.get, "/shared/com.example.draw/subscriber").storeRefusal
        == "422 userId/missing_field")
  }

  @Test("acquiring says why it is refused")
  func acquire() async throws {
    let scene = try StoreScene()
    for (product, refusal) in [
      ("com.example.draw.frames", "422 userId/not_subscriber"),
      ("com.example.draw.full", "422 productId/not_acquirable"),
      ("nope", "422 productId/unknown_product"), ("", "422 productId/missing_field"),
    ] {
      #expect(
        try await scene.send(.post, "/users/u-1/acquire", #"{"productId":"\#(product)"}"#)
          .storeRefusal
          == refusal)
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
    #expect(
      try await scene.send(.get, "/users/%FF/products", user: nil).storeRefusal
        == "422 userId/invalid")
    #expect(try await scene.send(.get, "/users//products", user: nil).storeRefusal == "404")
    #expect(try await scene.send(.get, "/users/a/b/products", user: nil).storeRefusal == "404")
  }
}
