import HTTPMessages
import ReceiptModels
import StoreSimulators
import Testing

/// The answers of all three endpoints about a receipt.
@Suite("Receipts under the contract of 2019")
struct VerifyTests {
  static let endpoints = Endpoint.legacy.filter(\.hasBearer)

  @Test("POST verify-receipt answers 204 without a body, and keeps what Apple says")
  func verify() async throws {
    let scene = try APIScene()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    let response = try await scene.send(
      to: Self.endpoints[0], #"{"receipt-data":"\#(purchase.receipt)"}"#)
    #expect(response.status == 204)
    #expect(response.isEmpty)
    #expect(try await scene.send(.get, "/apple/subs/\(APIScene.firstID)").status == 200)
  }

  @Test(
    "no receipt is a missing field; keys of the other contract are not read", arguments: endpoints)
  func missing(endpoint: Endpoint) async throws {
    let scene = try APIScene()
    for body in [
      "{}", #"{"receipt-data":null}"#, #"{"receipt-data":" "}"#, #"{"receiptData":"MIIT"}"#,
      #"{"receipt_data":"MIIT"}"#,
    ] {
      #expect(
        try await scene.send(to: endpoint, body).refusal
          == Refusal("receipt-data", "missing_field", "receipt-data missing"))
    }
  }

  @Test("a body that is wrong is 400", arguments: endpoints)
  func badBody(endpoint: Endpoint) async throws {
    let scene = try APIScene()
    for body in ["", "[]", "receipt-data=MIIT", #"{"receipt-data":false}"#] {
      #expect(try await scene.send(to: endpoint, body).refusal == .badJSON)
    }
  }

  @Test(
    "that Apple cannot be reached is 400, everything else wrong is one 422", arguments: endpoints)
  func invalid(endpoint: Endpoint) async throws {
    let scene = try APIScene()
    let body = #"{"receipt-data":"\#(try scene.appStore.buy(APIScene.monthly).receipt)"}"#
    scene.appStore.fail(with: .transportFailure(.notConnected))
    #expect(
      try await scene.send(to: endpoint, body).refusal
        == Refusal(400, "verification request failed"))
    scene.appStore.fail(with: .status(.notAuthenticated))
    #expect(try await scene.send(to: endpoint, body).refusal == .invalid2019())
    let empty = #"{"receipt-data":"\#(try scene.appStore.receipt(of: "nobody"))"}"#
    #expect(try await scene.send(to: endpoint, empty).refusal == .invalid2019())
    #expect(
      try await scene.send(to: endpoint, #"{"receipt-data":"garbage"}"#).refusal
        == .invalid2019())
  }

  @Test("a question without an answer of Apple is 400", arguments: endpoints)
  func unanswered(endpoint: Endpoint) async throws {
    let scene = try APIScene()
    let body = #"{"receipt-data":"\#(try scene.appStore.buy(APIScene.monthly).receipt)"}"#
    for fault: AppStoreSimulator.Fault in [
      .transportFailure(.timedOut), .httpStatus(.serviceUnavailable), .httpStatus(.notFound), .html,
    ] {
      scene.appStore.fail(with: fault)
      #expect(
        try await scene.send(to: endpoint, body).refusal
          == Refusal(400, "verification request failed"))
    }
  }

  @Test(
    "every status that Apple sends but 0 is 422, also those of trouble", arguments: endpoints,
    [21000, 21002, 21003, 21004, 21005, 21006, 21008, 21009, 21010, 21100, 21199, 99999])
  func statuses(endpoint: Endpoint, code: Int) async throws {
    let scene = try APIScene()
    let body = #"{"receipt-data":"\#(try scene.appStore.buy(APIScene.monthly).receipt)"}"#
    // A question that Apple may answer better the next time is asked again.
    scene.appStore.fail(next: 3, with: .status(VerifyReceiptStatus(rawValue: code)))
    #expect(try await scene.send(to: endpoint, body).refusal == .invalid2019())
  }

  @Test("an answer about another app is invalid", arguments: endpoints)
  func otherApp(endpoint: Endpoint) async throws {
    let scene = try APIScene(bundleIDs: ["com.example.other"])
    let purchase = try scene.appStore.buy(APIScene.monthly)
    #expect(
      try await scene.send(to: endpoint, #"{"receipt-data":"\#(purchase.receipt)"}"#).refusal
        == .invalid2019())
    #expect(try await scene.send(.get, "/apple/subs/\(APIScene.firstID)").status == 404)
  }

  @Test("data of the other environment than the stored one is invalid", arguments: endpoints)
  func environments(endpoint: Endpoint) async throws {
    let scene = try APIScene()
    try await scene.storeForSandbox()
    let purchase = try scene.appStore.buy(APIScene.monthly)
    #expect(
      try await scene.send(to: endpoint, #"{"receipt-data":"\#(purchase.receipt)"}"#).refusal
        == .invalid2019())
  }

  @Test("an unknown product is an error of link alone", arguments: endpoints)
  func unknownProduct(endpoint: Endpoint) async throws {
    let scene = try APIScene(products: ProductMap([:]))
    let purchase = try scene.appStore.buy(APIScene.monthly)
    let response = try await scene.send(to: endpoint, #"{"receipt-data":"\#(purchase.receipt)"}"#)
    if endpoint.path == "/apple/link" && endpoint.method == .post {
      #expect(response.refusal == .invalid2019())
    } else {
      #expect(response.status == 204)
    }
  }
}
