import JSONValues
import HTTPMessages
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import StorekeeperHTTP
import Testing

@Suite("POST /webhook/apple", .serialized)
struct WebhookTests {
  static let mounts = ["/api/v1", "/api/sandbox", "/2019/api/v1", "/2019/api/sandbox"]
  private let path = "/webhook/apple"

  private func post(
    _ scene: APIScene, _ body: String, on mount: String = "/api/v1"
  ) async throws -> HTTPResponseMessage {
    try await scene.send(.post, path, body, on: mount, token: nil)
  }

  @Test("both versions are taken without a token, with 200 and no body", arguments: mounts)
  func taken(mount: String) async throws {
    let scene = try APIScene()
    let purchase = try await scene.bought()
    for body in [
      try scene.notificationV1(about: purchase), try scene.notificationV2(about: purchase),
    ] {
      for _ in 1...2 {
        let response = try await post(scene, body, on: mount)
        #expect(response.status == 200)
        #expect(response.isEmpty)
      }
    }
    let stored = try await scene.send(.get, "/apple/subs/\(APIScene.firstID)")
    #expect(stored.json?["expiresDateUtc"] == .string("2024-01-13T22:13:20Z"))
  }

  @Test("members of any name may come with them")
  func unknownMembers() async throws {
    let scene = try APIScene()
    let purchase = try await scene.bought()
    let name = String(repeating: "a", count: 1000)
    for body in [
      try scene.notificationV1(about: purchase), try scene.notificationV2(about: purchase),
    ] {
      let longer = #"{"\#(name)":{"\#(name)":null},"zz":1e999,"# + body.dropFirst()
      #expect(try await post(scene, longer).status == 200)
    }
  }

  @Test("a token that is wrong does not matter")
  func token() async throws {
    let scene = try APIScene()
    let purchase = try await scene.bought()
    #expect(
      try await scene.send(
        .post, path, try scene.notificationV2(about: purchase), token: "wrong"
      ).status == 200)
  }

  @Test(
    "what is no JSON object is 400",
    arguments: ["", "[]", "null", "{", #"{"password":"a"}{}"#])
  func badBody(body: String) async throws {
    let scene = try APIScene()
    #expect(try await post(scene, body).refusal == .badJSON)
  }

  @Test("a member of the wrong type is 400 from whoever knows the password, else 403")
  func wrongType() async throws {
    let scene = try APIScene()
    let password = "0123456789abcdef0123456789abcdef"
    for member in [#""unified_receipt":1"#, #""unified_receipt":"{}""#] {
      #expect(try await post(scene, "{\(member)}").refusal == .forbidden)
      #expect(try await post(scene, #"{"password":"a",\#(member)}"#).refusal == .forbidden)
      #expect(try await post(scene, #"{"password":1,\#(member)}"#).refusal == .forbidden)
      #expect(
        try await post(scene, #"{"password":"\#(password)",\#(member)}"#).refusal == .badJSON)
    }
  }

  @Test("what does not come from Apple is 403")
  func forbidden() async throws {
    let scene = try APIScene()
    let purchase = try await scene.bought()
    let asked = scene.appStore.requests.count
    for body in [
      "{}", #"{"signedPayload":""}"#, #"{"signedPayload":"a.b.c"}"#, #"{"signedPayload":1}"#,
      try scene.notificationV1(about: purchase) { $0.password = "wrong" },
      try scene.notificationV1(about: purchase) { $0.password = nil },
    ] {
      #expect(try await post(scene, body).refusal == .forbidden)
    }
    var forged = try scene.notificationV2(about: purchase)
    forged.replace(".", with: ".e30", maxReplacements: 1)
    #expect(try await post(scene, forged).refusal == .forbidden)
    #expect(scene.appStore.requests.count == asked)
  }

  @Test("what Apple sends about another app is refused by the field of its version")
  func otherApp() async throws {
    let scene = try APIScene()
    let purchase = try await scene.bought()
    let one = try scene.notificationV1(about: purchase) { $0.bundleID = "com.example.other" }
    #expect(try await post(scene, one).refusal == Refusal("bid", "invalid", "bundle id mismatched"))
    let two = try scene.notificationV2(about: purchase, bundleID: "com.example.other")
    #expect(
      try await post(scene, two).refusal
        == Refusal("bundleId", "invalid", "bundle id mismatched"))
  }

  @Test("a signed notification whose ids are no digits is 403, and nothing of it is kept")
  func malformedIDs() async throws {
    let scene = try APIScene()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    for (number, change) in Self.malformed.enumerated() {
      let uuid = "002e14d5-51f5-4503-b5a8-00000000000\(number)"
      let body = try scene.notificationV2(
        about: purchase, uuid: uuid, hasRenewal: true, change: change)
      #expect(try await post(scene, body).refusal == .forbidden)
      let isSeen = try await scene.store.read { records in
        try await records.notifications.isSeen(notificationKey: "v2:\(uuid)")
      }
      #expect(!isSeen)
    }
    #expect(
      try await scene.send(.get, "/apple/subs/\(purchase.originalTransactionID)").refusal
        == .notFound)
  }

  /// Changes that make ids that Apple never sends; the last one of a product that does not renew.
  private static let malformed: [@Sendable (inout Transaction, inout RenewalInfo) -> Void] = [
    { transaction, _ in transaction.transactionID = "30000000000000a" },
    { transaction, renewal in
      transaction.originalTransactionID = "../1"
      renewal.originalTransactionID = "../1"
    },
    { transaction, renewal in
      transaction.originalTransactionID = nil
      renewal.originalTransactionID = "x"
    },
    { transaction, _ in transaction.transactionID = "" },
    { transaction, _ in transaction.transactionID = String(repeating: "1", count: 65) },
    { transaction, _ in
      transaction.type = .consumable
      transaction.transactionID = "１"
    },
  ]

  @Test("version 1 without a receipt is refused")
  func noReceipt() async throws {
    let scene = try APIScene()
    let purchase = try await scene.bought()
    let expected = Refusal("unified_receipt", "invalid", "unified receipt field is not valid")
    for body in [
      try scene.notificationV1(about: purchase) { $0.unifiedReceipt = nil },
      try scene.notificationV1(about: purchase) { $0.unifiedReceipt?.latestReceipt = "" },
    ] {
      #expect(try await post(scene, body).refusal == expected)
    }
  }

  @Test("a receipt that Apple calls wrong is refused; while Apple is silent it is 503")
  func verification() async throws {
    let scene = try APIScene()
    let purchase = try await scene.bought()
    let body = try scene.notificationV1(about: purchase)
    scene.appStore.fail(with: .transportFailure(.timedOut))
    #expect(try await post(scene, body).refusal == .unavailable)
    scene.appStore.fail(with: .status(.notAuthenticated))
    #expect(
      try await post(scene, body).refusal
        == .unverified("verification response error: status 21003"))
    #expect(try await post(scene, body).status == 200)
  }

  @Test("an unknown product is refused, so that Apple comes again")
  func unknownProduct() async throws {
    let scene = try APIScene(products: ProductMap([:]))
    let purchase = try scene.appStore.buy(APIScene.monthly)
    for body in [
      try scene.notificationV1(about: purchase), try scene.notificationV2(about: purchase),
    ] {
      #expect(try await post(scene, body).refusal == .unknownProduct)
    }
  }

  @Test("data of the other environment than the stored one is refused", arguments: mounts)
  func environments(mount: String) async throws {
    let scene = try APIScene()
    try await scene.storeForSandbox()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    for body in [
      try scene.notificationV1(about: purchase), try scene.notificationV2(about: purchase),
    ] {
      #expect(try await post(scene, body, on: mount).refusal == .environmentMismatch)
    }
  }

  @Test("a host that takes no notifications has no such route", arguments: mounts)
  func none(mount: String) async throws {
    let scene = try APIScene(takesNotifications: false)
    #expect(try await post(scene, "{}", on: mount).refusal == .notFound)
    #expect(scene.api.routes.count == 16)
    #expect(!scene.api.knows(mount + path))
    #expect(!scene.api.routes.contains { $0.path.hasSuffix(path) })
  }
}
