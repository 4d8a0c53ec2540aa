import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import StorekeeperSimulatorControl
import StorekeeperTesting
import Testing

@Suite("The server APIs of the program")
struct ServerAPITests {
  /// Sends a signed request to a path of the program.
  private func ask(
    _ scene: ControlScene, _ method: HTTPRequestMethod, _ path: String, _ body: String = ""
  ) async throws -> HTTPResponseMessage {
    let key = scene.service.serverAPIKey
    let signer = try ServerAPITokenSigner(
      key: SigningKey(pem: key.pem, keyID: key.keyID), issuerID: key.issuerID,
      bundleID: "com.example.reader")
    var headers: HTTPHeaders = [:]
    try headers.set("Bearer " + signer.token(at: ControlScene.start), for: .authorization)
    return await scene.send(method, path, body, headers: headers)
  }

  @Test("each environment answers under its path, for its own purchases")
  func environments() async throws {
    let scene = try ControlScene()
    let bought = try await scene.order(
      "buy", #"{"customer":"a","product":"reader.monthly","environment":"Sandbox"}"#)
    let id = try #require(bought["subscription"]?["originalTransactionId"]?.text)
    let path = "/inApps/v1/subscriptions/\(id)?status=1"
    let sandbox = try await ask(scene, .get, "/sandbox" + path)
    #expect(sandbox.status == .ok)
    #expect(try JSONValue(parsing: sandbox.body)["environment"] == .string("Sandbox"))
    let production = try await ask(scene, .get, "/production" + path)
    #expect(production.status == .notFound)
    #expect(try JSONValue(parsing: production.body)["errorCode"] == .integer(4_040_010))
    #expect(await scene.send(.get, "/sandbox" + path).status == .unauthorized)
  }

  @Test("the state names the key, and never shows it")
  func key() async throws {
    let scene = try ControlScene()
    let state = try await scene.state()
    #expect(state["serverApi"]?["keyId"]?.text == scene.service.serverAPIKey.keyID)
    #expect(state["serverApi"]?["issuerId"]?.text == scene.service.serverAPIKey.issuerID)
    #expect(!String(decoding: state.serialized, as: UTF8.self).contains("PRIVATE"))
  }

  @Test("an order reviews the messages that wait for it, in Production")
  func review() async throws {
    let scene = try ControlScene()
    func states() async throws -> [String?] {
      let list = try await ask(scene, .get, "/production/inApps/v1/messaging/message/list")
      return try JSONValue(parsing: list.body)["messageIdentifiers"]?.texts("messageState") ?? []
    }
    for (number, decision) in zip(1..., ["APPROVED", "REJECTED"]) {
      let id = "748bc0c8-f778-4616-8dff-7f4a8f4dd41\(number)"
      let uploaded = try await ask(
        scene, .put, "/production/inApps/v1/messaging/message/\(id)",
        #"{"header":"Stay","body":"A month at half the price"}"#)
      #expect(uploaded.status == .ok)
      #expect(try await states().last == "PENDING")
      _ = try await scene.order("reviewMessages", #"{"decision":"\#(decision)"}"#)
    }
    #expect(try await states() == ["APPROVED", "REJECTED"])
    #expect(try await scene.refusal("reviewMessages", #"{"decision":"maybe"}"#) == .badRequest)
  }

  @Test("a lost notification is not sent, and is found in the notification history")
  func lost() async throws {
    let scene = try ControlScene()
    _ = try await scene.order("lose", "{}")
    let bought = try await scene.order("buy", #"{"customer":"a","product":"reader.monthly"}"#)
    #expect(bought["notifications"]?.list.map { $0["state"] } == [.string("lost")])
    #expect(scene.webhook.requests.isEmpty)
    _ = try await scene.order("renew", #"{"customer":"a"}"#)
    #expect(scene.webhook.requests.count == 1)
    let now = Int(ControlScene.start.timeIntervalSince1970) * 1000
    let response = try await ask(
      scene, .post, "/production/inApps/v1/notifications/history",
      #"{"startDate":\#(now - 1000),"endDate":\#(now + 1000),"onlyFailures":true}"#)
    let history = try JSONValue(parsing: response.body)["notificationHistory"]?.list
    #expect(history?.count == 1)
  }

  @Test("a refund is asked for, and decided")
  func refund() async throws {
    let scene = try ControlScene()
    _ = try await scene.order("buy", #"{"customer":"a","product":"reader.monthly"}"#)
    #expect(try await scene.refusal("decideRefund", #"{"customer":"a"}"#) == .conflict)
    let asked = try await scene.order("requestRefund", #"{"customer":"a","reason":"LEGAL"}"#)
    #expect(asked["notifications"]?.list.texts == ["CONSUMPTION_REQUEST"])
    let declined = try await scene.order(
      "decideRefund", #"{"customer":"a","otherwise":"decline"}"#)
    #expect(declined["notifications"]?.list.texts == ["REFUND_DECLINED"])
    _ = try await scene.order("requestRefund", #"{"customer":"a"}"#)
    let decided = try await scene.order("decideRefund", #"{"customer":"a"}"#)
    #expect(decided["notifications"]?.list.texts == ["REFUND"])
    #expect(decided["subscription"]?["status"] == .string("refunded"))
    #expect(try await scene.refusal("requestRefund", #"{"customer":"a"}"#) == .conflict)
  }

  @Test("extensions, test notifications and faults are ordered")
  func others() async throws {
    let scene = try ControlScene()
    _ = try await scene.order("buy", #"{"customer":"a","product":"reader.monthly"}"#)
    for _ in 1...2 {
      let extended = try await scene.order("extend", #"{"customer":"a","days":30}"#)
      #expect(extended["notifications"]?.list.texts == ["RENEWAL_EXTENDED"])
    }
    #expect(try await scene.refusal("extend", #"{"customer":"a","days":30}"#) == .conflict)
    #expect(try await scene.refusal("extend", #"{"customer":"a","days":91}"#) == .badRequest)
    let test = try await scene.order("test", "{}")
    #expect(test["notifications"]?.list.texts == ["TEST"])
    #expect(test["notifications"]?.list.map { $0["state"] } == [.string("accepted")])
    _ = try await scene.order("fault", #"{"fault":"tooManyRequests","retryAfter":"5"}"#)
    let response = try await ask(scene, .get, "/production/inApps/v1/transactions/1")
    #expect(response.status == .tooManyRequests)
    #expect(response.headers[.retryAfter] == "5")
    #expect(try await scene.refusal("fault", #"{"fault":"rain"}"#) == .badRequest)
    _ = try await scene.order("webhook", "{}")
    #expect(try await scene.refusal("test", "{}") == .conflict)
  }
}

extension [JSONValue] {
  /// The types of notifications.
  fileprivate var texts: [String?] { map { $0["type"]?.text } }
}
