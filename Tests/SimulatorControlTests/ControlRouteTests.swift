import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import ReceiptVerifier
import StorekeeperSimulatorControl
import StorekeeperTesting
import Testing

@Suite("Routes of the App Store simulator")
struct ControlRouteTests {
  @Test(
    "an unknown route is 404 in JSON",
    arguments: ["/nothing", "/control", "/control/", "/control/state/", "/production", "", "//"])
  func unknown(path: String) async throws {
    let response = await (try ControlScene()).send(.get, path)
    #expect(response.status == .notFound)
    #expect(response.headers[.contentType] == "application/json; charset=utf-8")
    #expect(try JSONValue(parsing: response.body)["message"] != nil)
  }

  @Test(
    "a wrong method is 405 in JSON, with the right one",
    arguments: [
      ("/", HTTPRequestMethod.post, "GET"), ("/root.der", .post, "GET"),
      ("/receipt-root.der", .post, "GET"),
      ("/control/state", .put, "GET"),
      ("/control/receipt", .delete, "GET"), ("/control/buy", .get, "POST"),
      ("/control/renew", .get, "POST"), ("/control/refund", .get, "POST"),
      ("/control/upgrade", .get, "POST"), ("/control/lapse", .get, "POST"),
      ("/control/advance", .get, "POST"), ("/control/webhook", .get, "POST"),
      ("/control/desk", .get, "POST"),
    ])
  func method(path: String, method: HTTPRequestMethod, allowed: String) async throws {
    let response = await (try ControlScene()).send(method, path)
    #expect(response.status == .methodNotAllowed)
    #expect(response.headers["Allow"] == allowed)
    #expect(try JSONValue(parsing: response.body)["message"] != nil)
  }

  @Test(
    "a body other than an object is 400",
    arguments: ["", "[]", "null", "{", "\u{feff}{}", "{}{}", "customer=alice"])
  func body(text: String) async throws {
    let scene = try ControlScene()
    for order in ["buy", "renew", "refund", "upgrade", "lapse", "advance", "webhook"] {
      #expect(try await scene.refusal(order, text) == .badRequest)
    }
  }

  @Test(
    "a missing or invalid member is 400",
    arguments: [
      ("buy", "{}"), ("buy", #"{"customer":"alice"}"#), ("buy", #"{"product":"reader.monthly"}"#),
      ("buy", #"{"customer":"","product":"reader.monthly"}"#),
      ("buy", #"{"customer":1,"product":"reader.monthly"}"#),
      ("buy", #"{"customer":"alice","product":"reader.monthly","environment":"Xcode"}"#),
      ("renew", "{}"), ("renew", #"{"originalTransactionId":1}"#), ("refund", "{}"),
      ("refund", #"{"transactionId":null}"#), ("upgrade", #"{"customer":"alice"}"#),
      ("lapse", #"{"customer":"alice","reason":"boredom"}"#),
      ("lapse", #"{"customer":"alice","when":"later"}"#), ("advance", "{}"),
      ("advance", #"{"days":0}"#), ("advance", #"{"days":-1}"#), ("advance", #"{"days":1.5}"#),
      ("advance", #"{"days":"1"}"#), ("advance", #"{"days":3651}"#),
    ])
  func member(order: String, text: String) async throws {
    let scene = try ControlScene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    #expect(try await scene.refusal(order, text) == .badRequest)
  }

  @Test("a customer's name has 128 bytes at most")
  func longName() async throws {
    let scene = try ControlScene()
    for (count, status) in [(128, HTTPStatusCode.ok), (129, .badRequest)] {
      let name = String(repeating: "é", count: count / 2) + (count % 2 == 0 ? "" : "x")
      let body = #"{"customer":"\#(name)","product":"reader.monthly"}"#
      #expect(await scene.send(.post, "/control/buy", body).status == status)
    }
  }

  @Test(
    "an unknown product or subscription is 404",
    arguments: [
      ("buy", #"{"customer":"alice","product":"reader.none"}"#), ("renew", #"{"customer":"bob"}"#),
      ("refund", #"{"originalTransactionId":"1"}"#), ("refund", #"{"transactionId":"1"}"#),
      ("lapse", #"{"customer":"bob"}"#),
      ("upgrade", #"{"customer":"alice","product":"reader.none"}"#),
    ])
  func notKnown(order: String, text: String) async throws {
    let scene = try ControlScene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    #expect(try await scene.refusal(order, text) == .notFound)
  }

  @Test("an action that is impossible now is 409, and changes nothing")
  func conflict() async throws {
    let scene = try ControlScene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    let before = try await scene.state()
    let again = #"{"customer":"alice","product":"reader.yearly"}"#
    #expect(try await scene.refusal("buy", again) == .conflict)
    #expect(try await scene.state() == before)
    #expect(scene.webhook.requests.count == 1)
  }

  @Test("pages of other sites are 403")
  func foreign() async throws {
    let scene = try ControlScene()
    let body = #"{"customer":"alice","product":"reader.monthly"}"#
    let foreign: [HTTPHeaders] = [
      ["Host": "example.org"], ["Host": "127.0.0.1.example.org"],
      ["Host": "127.0.0.1:8080", "Origin": "http://example.org"],
      ["Host": "127.0.0.1:8080", "Origin": "http://127.0.0.1:8081"],
      ["Host": "127.0.0.1:8080", "Origin": "null"],
    ]
    for headers in foreign {
      #expect(await scene.send(.post, "/control/buy", body, headers: headers).status == .forbidden)
      #expect(await scene.send(.get, "/control/state", headers: headers).status == .forbidden)
    }
    let own: [HTTPHeaders] = [
      ["Host": "127.0.0.1:8080"], ["Host": "localhost:8080"],
      ["Host": "127.0.0.1:8080", "Origin": "http://127.0.0.1:8080"],
    ]
    for headers in own {
      #expect(await scene.send(.get, "/control/state", headers: headers).status == .ok)
    }
  }

  @Test("a body beyond the limit is 413, even if only declared")
  func limit() async throws {
    let scene = try ControlScene()
    let body = String(repeating: " ", count: SimulatorService.bodyLimit + 1)
    #expect(await scene.send(.post, "/sandbox/verifyReceipt", body).status == .contentTooLarge)
    let announced = await scene.send(
      .post, "/control/buy", headers: [.contentLength: "999999999"])
    #expect(announced.status == .contentTooLarge)
  }

  @Test("the page is one file that loads nothing from elsewhere")
  func page() async throws {
    let response = await (try ControlScene()).send(.get, "/?from=bookmark")
    #expect(response.status == .ok)
    #expect(response.headers[.contentType] == "text/html; charset=utf-8")
    let text = try #require(String(validating: response.body, as: UTF8.self))
    #expect(text.hasPrefix("<!doctype html>"))
    for loader in ["src=", "url(", "@import", "https://"] { #expect(!text.contains(loader)) }
  }

  @Test("one root certificate is the trust anchor of signed data, the other that of receipts")
  func roots() async throws {
    let scene = try ControlScene()
    let root = await scene.send(.get, "/root.der")
    let receiptRoot = await scene.send(.get, "/receipt-root.der")
    for response in [root, receiptRoot] {
      #expect(response.status == .ok)
      #expect(response.headers[.contentType] == "application/pkix-cert")
    }
    #expect(receiptRoot.body == ControlScene.authority?.certificate(.root))
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    let bought = try JSONValue(
      parsing: await scene.send(.get, "/control/receipt?customer=alice").body)
    let signed = try #require(bought["signedTransactionInfo"]?.text)
    let receipt = try #require(bought["receipt"]?.text)
    func verifiers(_ root: HTTPResponseMessage) throws -> (SignedDataVerifier, AppReceiptVerifier) {
      let anchors = [try TrustAnchor(certificate: root.body)]
      return (
        try SignedDataVerifier(
          apps: [App(bundleID: "com.example.reader", appAppleID: 1_234_567_890)],
          environments: [.production], trustAnchors: anchors, now: { ControlScene.start }),
        try AppReceiptVerifier(
          bundleIDs: ["com.example.reader"], trustAnchors: anchors, now: { ControlScene.start })
      )
    }
    let (data, noReceipts) = try verifiers(root)
    #expect(try data.transaction(signed).payload.productID == "reader.monthly")
    #expect(throws: ReceiptFailure.chain(.untrustedRoot)) {
      try noReceipts.verify(base64: receipt)
    }
    let (noData, receipts) = try verifiers(receiptRoot)
    #expect(try receipts.verify(base64: receipt).receipt.bundleID == "com.example.reader")
    #expect(throws: SignedDataFailure.self) { try noData.transaction(signed) }
  }

  // MARK: As Apple's servers

  private func status(
    _ scene: ControlScene, _ path: String, _ body: String, _ method: HTTPRequestMethod = .post
  ) async throws -> JSONValue? {
    let response = await scene.send(method, path, body)
    #expect(response.status == .ok)
    return try JSONValue(parsing: response.body)["status"]
  }

  @Test("verifyReceipt answers as Apple's two servers do, and sends each to the other")
  func verifyReceipt() async throws {
    let scene = try ControlScene()
    for environment in ["Production", "Sandbox"] {
      let buy = #"{"customer":"alice","product":"reader.monthly","environment":"\#(environment)"}"#
      _ = try await scene.order("buy", buy)
      let path = "/control/receipt?customer=alice&environment=\(environment)"
      let answer = try JSONValue(parsing: await scene.send(.get, path).body)
      #expect(answer["environment"] == .string(environment))
      let receipt = try #require(answer["receipt"]?.text)
      let question = """
        {"receipt-data":"\(receipt)","password":"0123456789abcdef0123456789abcdef"}
        """
      let statuses = try await [
        status(scene, "/production/verifyReceipt", question),
        status(scene, "/sandbox/verifyReceipt", question),
      ]
      #expect(
        statuses == (environment == "Production" ? [0, 21008] : [21007, 0]).map(JSONValue.integer))
      let wrong = #"{"receipt-data":"\#(receipt)","password":"guess"}"#
      let server = environment == "Production" ? "production" : "sandbox"
      #expect(try await status(scene, "/\(server)/verifyReceipt", wrong) == .integer(21004))
    }
    #expect(try await status(scene, "/production/verifyReceipt", "x") == .integer(21002))
    #expect(try await status(scene, "/production/verifyReceipt", "", .get) == .integer(21000))
  }

  @Test("the receipt requires a customer, and accepts an environment")
  func receipt() async throws {
    let scene = try ControlScene()
    for query in ["", "?customer=", "?environment=Sandbox", "?customer=a&environment=Xcode"] {
      #expect(await scene.send(.get, "/control/receipt" + query).status == .badRequest)
    }
    // A customer without purchases has a receipt too.
    #expect(await scene.send(.get, "/control/receipt?customer=a%20b").status == .ok)
  }
}
