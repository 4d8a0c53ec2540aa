import JSONValues
import HTTPMessages
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import Testing

/// Both are verified alike (contract on linking, section 4.2).
@Suite("POST /apple/verify-receipt and POST /apple/subs")
struct VerifyReceiptTests {
  static let paths = ["/apple/verify-receipt", "/apple/subs"]

  @Test("verify-receipt answers with the very bytes that Apple sent, once they are kept")
  func bytes() async throws {
    let scene = try APIScene()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    let response = try await scene.send(
      .post, "/apple/verify-receipt", #"{"receiptData":"\#(purchase.receipt)"}"#)
    #expect(response.status == 200)
    #expect(response.headers[.contentType] == "application/json; charset=utf-8")
    #expect(response.body == scene.transport.lastBody)
    #expect(response.body.starts(with: #"{  "zz_unknown" : [ 1.50, "\/" ] ,"#.utf8))
    let stored = try await scene.send(.get, "/apple/subs/\(APIScene.firstID)")
    #expect(stored.status == 200)
  }

  @Test("subs answers with the subscription as stored, with every member")
  func subscription() async throws {
    let scene = try APIScene()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    let response = try await scene.send(
      .post, "/apple/subs", #"{"receiptData":"\#(purchase.receipt)"}"#)
    #expect(response.status == 200)
    #expect(response.json == (try json(Self.stored)))
  }

  static let stored = """
    {"environment":"Production","originalTransactionId":"300000000000001",
    "lastTransactionId":"300000000000001","productId":"reader.monthly",
    "purchaseDateUtc":"2023-11-14T22:13:20Z","expiresDateUtc":"2023-12-14T22:13:20Z",
    "tier":"standard","cycle":"month","autoRenewal":true,
    "createdUtc":"2023-11-14T22:13:20Z","updatedUtc":"2023-11-14T22:13:20Z",
    "ftcUserId":null,"inUse":false}
    """

  @Test("subs chooses the subscription of the receipt that ends last")
  func latest() async throws {
    let scene = try APIScene()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    let better = try scene.appStore.upgrade(purchase, to: APIScene.premium)
    let response = try await scene.send(
      .post, "/apple/subs", #"{"receiptData":"\#(better.receipt)"}"#)
    #expect(response.json?["productId"] == .string(APIScene.premium))
    #expect(response.json?["tier"] == .string("premium"))
    #expect(response.json?["lastTransactionId"] == .string("300000000000002"))
  }

  @Test("a status 21006 without a receipt is told by its number", arguments: paths)
  func bareExpired(path: String) async throws {
    let scene = try APIScene()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    scene.appStore.fail(with: .status(.subscriptionExpired))
    #expect(
      try await scene.send(.post, path, #"{"receiptData":"\#(purchase.receipt)"}"#).refusal
        == .unverified("verification response error: status 21006"))
  }

  @Test("a body that is wrong is 400", arguments: paths)
  func badBody(path: String) async throws {
    let scene = try APIScene()
    for body in ["", "[]", #"{"receiptData":1}"#, #"{"receiptData":"a"} x"#] {
      #expect(try await scene.send(.post, path, body).refusal == .badJSON)
    }
    #expect(scene.appStore.requests.isEmpty)
  }

  @Test("no receipt is a missing field; keys of the other contract are not read", arguments: paths)
  func missing(path: String) async throws {
    let scene = try APIScene()
    for body in [
      "{}", #"{"receiptData":null}"#, #"{"receiptData":""}"#, #"{"receiptData":" \n"}"#,
      #"{"receiptData":"\u00a0\u2028"}"#,
      #"{"receipt-data":"MIIT"}"#, #"{"receiptdata":"MIIT"}"#,
    ] {
      #expect(try await scene.send(.post, path, body).refusal == .missing("receiptData"))
    }
    #expect(scene.appStore.requests.isEmpty)
  }

  @Test("the messages say why a receipt is not valid", arguments: paths)
  func invalid(path: String) async throws {
    let scene = try APIScene()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    let body = #"{"receiptData":"\#(try purchase.receipt)"}"#
    scene.appStore.fail(with: .status(.notAuthenticated))
    #expect(
      try await scene.send(.post, path, body).refusal
        == .unverified("verification response error: status 21003"))
    scene.appStore.fail(with: .transportFailure(.notConnected))
    #expect(
      try await scene.send(.post, path, body).refusal
        == .unverified("verification request failed"))
    let empty = #"{"receiptData":"\#(try scene.appStore.receipt(of: "nobody"))"}"#
    #expect(
      try await scene.send(.post, path, empty).refusal
        == .unverified("verification response has empty latest_receipt_info"))
    #expect(
      try await scene.send(.post, path, body, on: "/api/sandbox").refusal
        == .unverified("verification response error: status 21008"))
    let other = try APIScene(bundleIDs: ["com.example.other"])
    let bought = try other.appStore.buy(APIScene.monthly)
    #expect(
      try await other.send(.post, path, #"{"receiptData":"\#(bought.receipt)"}"#).refusal
        == .unverified("verification response bundle id mismatched"))
  }

  @Test("something that is no receipt is not valid", arguments: paths)
  func garbage(path: String) async throws {
    let scene = try APIScene()
    let response = try await scene.send(.post, path, #"{"receiptData":"garbage <script>"}"#)
    #expect(response.refusal?.field == "verification")
    #expect(response.refusal?.code == "invalid")
    #expect(!String(decoding: response.body, as: UTF8.self).contains("script"))
  }

  @Test("a receipt without a known product is refused", arguments: paths)
  func unknownProduct(path: String) async throws {
    let scene = try APIScene(products: ProductMap([:]))
    let purchase = try scene.appStore.buy(APIScene.monthly)
    #expect(
      try await scene.send(.post, path, #"{"receiptData":"\#(purchase.receipt)"}"#).refusal
        == .unknownProduct)
  }

  @Test("data of the other environment than the stored one is refused", arguments: paths)
  func environments(path: String) async throws {
    let scene = try APIScene()
    try await scene.storeForSandbox()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    #expect(
      try await scene.send(.post, path, #"{"receiptData":"\#(purchase.receipt)"}"#).refusal
        == .environmentMismatch)
  }

  @Test("each mount begins at its own server; Production goes on to the Sandbox", arguments: paths)
  func servers(path: String) async throws {
    let scene = try APIScene(environment: .sandbox)
    let purchase = try scene.appStore.buy(APIScene.monthly)
    let body = #"{"receiptData":"\#(try purchase.receipt)"}"#
    #expect(try await scene.send(.post, path, body, on: "/api/sandbox").status == 200)
    #expect(scene.appStore.requests.map(\.server) == [.sandbox])
    #expect(try await scene.send(.post, path, body, on: "/api/v1").status == 200)
    #expect(scene.appStore.requests.map(\.server) == [.sandbox, .production, .sandbox])
  }
}
