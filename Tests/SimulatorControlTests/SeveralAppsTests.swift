import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StorekeeperSimulatorControl
import StorekeeperTesting
import Testing

@Suite("Several apps at the App Store simulator")
struct SeveralAppsTests {
  private func scene() throws -> ControlScene {
    try ControlScene { configuration in
      configuration.otherApps = [
        SoldApp(
          bundleID: "com.example.draw", appAppleID: 77,
          products: [SoldProduct(id: "draw.monthly", name: "Monthly")],
          packs: [
            SoldPack(id: "draw.frames", name: "Frames", kind: .nonConsumable),
            SoldPack(id: "draw.course", name: "Course", kind: .nonRenewing),
          ])
      ]
    }
  }

  /// Asks one of Apple's servers about a receipt.
  private func ask(_ scene: ControlScene, _ receipt: JSONValue?) async throws -> JSONValue {
    let body = JSONValue.object([
      "receipt-data": receipt ?? .null,
      "password": .string("0123456789abcdef0123456789abcdef"),
    ])
    let response = await scene.send(
      .post, "/production/verifyReceipt", String(decoding: body.serialized, as: UTF8.self))
    return try JSONValue(parsing: response.body)
  }

  private func receipt(_ scene: ControlScene, _ query: String) async throws -> JSONValue {
    try JSONValue(parsing: await scene.send(.get, "/control/receipt?\(query)").body)
  }

  @Test("a product decides the app, and every purchase names its own")
  func purchases() async throws {
    let scene = try scene()
    let read = try await scene.order("buy", #"{"customer":"ann","product":"reader.monthly"}"#)
    let drawn = try await scene.order("buy", #"{"customer":"ann","product":"draw.monthly"}"#)
    let frames = try await scene.order("buy", #"{"customer":"ann","product":"draw.frames"}"#)
    let course = try await scene.order("buy", #"{"customer":"ann","product":"draw.course"}"#)
    #expect(read["subscription"]?["app"] == .string("com.example.reader"))
    #expect(drawn["subscription"]?["app"] == .string("com.example.draw"))
    #expect(frames["purchase"]?["app"] == .string("com.example.draw"))
    #expect(frames["notifications"]?.texts("type") == ["ONE_TIME_CHARGE"])
    #expect(frames["notifications"]?.texts("app") == ["com.example.draw"])
    #expect(course["purchase"]?["product"] == .string("draw.course"))
    let state = try await scene.state()
    #expect(state["apps"]?.texts("bundleId") == ["com.example.reader", "com.example.draw"])
    #expect(state["customers"] == .array([.string("ann")]))
    #expect(state["packs"]?.texts("kind") == ["nonConsumable", "nonRenewing"])
    #expect(
      state["apps"]?.list.last?["products"]
        == .array(["draw.monthly", "draw.frames", "draw.course"].map(JSONValue.string)))
    #expect(state["products"]?.texts("id").suffix(2) == ["reader.premium", "draw.monthly"])
    #expect(state["subscriptions"]?.list.count == 2)
  }

  @Test("a receipt is of one app, by default of the first")
  func receipts() async throws {
    let scene = try scene()
    for product in ["reader.monthly", "draw.monthly", "draw.frames"] {
      _ = try await scene.order("buy", #"{"customer":"ann","product":"\#(product)"}"#)
    }
    let first = try await receipt(scene, "customer=ann")
    #expect(first["app"] == .string("com.example.reader"))
    let read = try await ask(scene, first["receipt"])
    #expect(read["receipt"]?["bundle_id"] == .string("com.example.reader"))
    #expect(read["receipt"]?["in_app"]?.texts("product_id") == ["reader.monthly"])
    let second = try await receipt(scene, "customer=ann&app=com.example.draw")
    let drawn = try await ask(scene, second["receipt"])
    #expect(drawn["receipt"]?["bundle_id"] == .string("com.example.draw"))
    #expect(drawn["receipt"]?["in_app"]?.texts("product_id") == ["draw.monthly", "draw.frames"])
    #expect(await scene.send(.get, "/control/receipt?customer=ann&app=x").status == .badRequest)
  }

  @Test("orders may name the app of a subscription")
  func orders() async throws {
    let scene = try scene()
    for product in ["reader.monthly", "draw.monthly"] {
      _ = try await scene.order("buy", #"{"customer":"ann","product":"\#(product)"}"#)
    }
    let renewed = try await scene.order(
      "renew", #"{"customer":"ann","app":"com.example.reader"}"#)
    #expect(renewed["subscription"]?["product"] == .string("reader.monthly"))
    #expect(try await scene.refusal("lose", #"{"app":"com.example.other"}"#) == .badRequest)
    _ = try await scene.order("lose", #"{"app":"com.example.draw"}"#)
    let read = try await scene.order("renew", #"{"customer":"ann","app":"com.example.reader"}"#)
    #expect(read["notifications"]?.texts("state") == ["accepted"])
    let drawn = try await scene.order("renew", #"{"customer":"ann","app":"com.example.draw"}"#)
    #expect(drawn["notifications"]?.texts("state") == ["lost"])
  }

  @Test("while Apple is away nobody gets an answer or a notification")
  func away() async throws {
    let scene = try scene()
    _ = try await scene.order("buy", #"{"customer":"ann","product":"draw.monthly"}"#)
    let receipt = try await receipt(scene, "customer=ann&app=com.example.draw")["receipt"]
    #expect(try await scene.order("away", #"{"away":true}"#)["away"] == .boolean(true))
    #expect(try await scene.state()["isAway"] == .boolean(true))
    let body = #"{"receipt-data":"AAAA"}"#
    for path in ["/production/verifyReceipt", "/sandbox/verifyReceipt"] {
      #expect(await scene.send(.post, path, body).status.code == 503)
    }
    let path = "/production/inApps/v1/transactions/1"
    #expect(await scene.send(.get, path).status.code == 503)
    let renewed = try await scene.order("renew", #"{"customer":"ann"}"#)
    #expect(renewed["notifications"]?.texts("state") == ["lost"])
    #expect(scene.webhook.requests.count == 1)
    _ = try await scene.order("away", #"{"away":false}"#)
    #expect(try await ask(scene, receipt)["status"] == .integer(0))
    #expect(await scene.send(.get, path).status == .unauthorized)
    #expect(try await scene.refusal("away", "{}") == .badRequest)
    #expect(try await scene.refusal("away", #"{"away":1}"#) == .badRequest)
  }

  @Test("a subscription names an account, too")
  func accountToken() async throws {
    let scene = try scene()
    let token = "3f0e2c1a-58b7-4d6e-9a10-2b7c6d5e4f30"
    _ = try await scene.order(
      "buy", #"{"customer":"ann","product":"draw.monthly","appAccountToken":"\#(token)"}"#)
    let signed = try await receipt(scene, "customer=ann&app=com.example.draw")
    let verifier = try SignedDataVerifier(
      apps: [App(bundleID: "com.example.draw", appAppleID: 77)], environments: [.production],
      trustAnchors: [try TrustAnchor(certificate: await scene.send(.get, "/root.der").body)],
      now: { ControlScene.start })
    let transaction = try verifier.transaction(
      try #require(signed["signedTransactionInfo"]?.text)
    ).payload
    #expect(transaction.appAccountToken?.uuidString.lowercased() == token)
    #expect(transaction.bundleID == "com.example.draw")
  }
}
