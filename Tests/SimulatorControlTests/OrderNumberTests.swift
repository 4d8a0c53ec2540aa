import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import StorekeeperCrypto
import StorekeeperSimulatorControl
import StorekeeperTesting
import Testing

@Suite("Order numbers at the App Store simulator")
struct OrderNumberTests {
  private static let pack = "com.example.gems.big"

  private func scene() throws -> ControlScene {
    try ControlScene { $0.packs = [SoldPack(id: Self.pack, name: "Big pack")] }
  }

  /// Looks an order up, with a token like a server's; returns the answer.
  private func lookUp(_ order: String, in scene: ControlScene) async throws -> JSONValue {
    let key = scene.service.serverAPIKey
    let signer = try ServerAPITokenSigner(
      key: SigningKey(pem: key.pem, keyID: key.keyID), issuerID: key.issuerID,
      bundleID: "com.example.reader")
    var headers: HTTPHeaders = [:]
    try headers.set("Bearer " + signer.token(at: ControlScene.start), for: .authorization)
    let response = await scene.send(.get, "/production/inApps/v1/lookup/\(order)", headers: headers)
    try #require(response.status == .ok)
    return try JSONValue(parsing: response.body)
  }

  /// The transactions that an answer has signed.
  private func transactionIDs(_ answer: JSONValue) throws -> [String?] {
    try (answer["signedTransactions"]?.list ?? []).map { signed in
      let payload = try #require(signed.text).split(separator: ".")[1]
      let bytes = try #require(Base64.decode(Array(payload.utf8)[...], .url))
      return try JSONValue(parsing: bytes)["transactionId"]?.text
    }
  }

  @Test("each charge of a subscription shows its order number, which can be looked up")
  func subscription() async throws {
    let scene = try scene()
    _ = try await scene.order("buy", #"{"customer":"ann","product":"reader.monthly"}"#)
    let renewed = try await scene.order("renew", #"{"customer":"ann"}"#)
    let charges = try #require(renewed["subscription"]?["timeline"]?.list)
    #expect(Set(charges.map { $0["orderId"]?.text }).count == 2)
    for charge in charges {
      let order = try #require(charge["orderId"]?.text)
      #expect(order.wholeMatch(of: /M[0-9A-Z]{9,}/) != nil)
      let answer = try await lookUp(order, in: scene)
      #expect(answer["status"] == .integer(0))
      #expect(try transactionIDs(answer) == [charge["transactionId"]?.text])
    }
    let state = try await scene.state()
    #expect(state["subscriptions"]?.list.first?["timeline"]?.list == charges)
  }

  @Test("a pack shows its order number, which can be looked up")
  func pack() async throws {
    let scene = try scene()
    let bought = try await scene.order("buy", #"{"customer":"ann","product":"\#(Self.pack)"}"#)
    let order = try #require(bought["purchase"]?["orderId"]?.text)
    #expect(try await scene.state()["purchases"]?.texts("orderId") == [order])
    let answer = try await lookUp(order, in: scene)
    #expect(try transactionIDs(answer) == [bought["purchase"]?["transactionId"]?.text])
  }

  @Test("the page shows the order numbers")
  func page() async throws {
    let response = await (try scene()).send(.get, "/")
    let text = try #require(String(validating: response.body, as: UTF8.self))
    for source in ["item.orderId", "purchase.orderId"] { #expect(text.contains(source)) }
  }
}
