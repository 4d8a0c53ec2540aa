import HTTPMessages
import JSONValues
import ReceiptModels
import StoreSimulators
import Testing

@Suite("POST /apple/link under the contract of 2019")
struct LinkByReceiptTests {
  private func link(
    _ scene: APIScene, _ receipt: String,
    _ headers: KeyValuePairs<HTTPHeaderName, String> = [.userID: "alice"]
  ) async throws -> HTTPResponseMessage {
    try await scene.send(
      .post, "/apple/link", #"{"receipt-data":"\#(receipt)"}"#, on: "/2019/api/v1",
      headers: headers)
  }

  @Test("answers with nine members, null where nothing is known")
  func nineMembers() async throws {
    let scene = try APIScene()
    let receipt = try scene.appStore.buy(APIScene.monthly).receipt
    let response = try await link(scene, receipt)
    #expect(response.status == 200)
    guard case .object(var members)? = response.json, case .string(let id)? = members["id"] else {
      Issue.record("no membership")
      return
    }
    #expect(id.hasPrefix("mmb_"))
    #expect(id.utf8.count == 16)
    members["id"] = nil
    #expect(
      JSONValue.object(members)
        == (try json(
          """
          {"ftcId":"alice","unionId":null,"tier":"standard","cycle":"month",
          "expireDate":"2023-12-14","payMethod":"apple","autoRenew":true,"status":null}
          """)))
    #expect(try await link(scene, receipt).json == response.json)
  }

  @Test("an account with WeChat only is named by its union id")
  func weChat() async throws {
    let scene = try APIScene()
    let receipt = try scene.appStore.buy(APIScene.monthly).receipt
    let response = try await link(scene, receipt, [.secondID: "wx-carol"])
    #expect(response.json?["ftcId"] == .null)
    #expect(response.json?["unionId"] == .string("wx-carol"))
  }

  @Test("no user, or one named twice, is 401 before the body is looked at")
  func noUser() async throws {
    let scene = try APIScene()
    let all: [KeyValuePairs<HTTPHeaderName, String>] = [
      [:], [.userID: " ", .secondID: ""], [.primaryID: "alice"],
      [.userID: "alice", .userID: "bob"],
      [.userID: "alice", .secondID: "a", .secondID: "b"],
    ]
    for headers in all {
      #expect(try await link(scene, "\"", headers).refusal == .noUser)
    }
  }

  /// Whom no account is, by these header fields.
  static let unknown: [KeyValuePairs<HTTPHeaderName, String>] = [
    [.userID: "nobody"], [.userID: "a b"], [.userID: "ä"],
    [.userID: String(repeating: "a", count: 200)], [.userID: "alice", .secondID: "wx-carol"],
  ]

  @Test("an unknown account is 404, once the receipt is verified and stored", arguments: unknown)
  func unknownAccount(headers: KeyValuePairs<HTTPHeaderName, String>) async throws {
    let scene = try APIScene()
    let receipt = try scene.appStore.buy(APIScene.monthly).receipt
    #expect(try await link(scene, receipt, headers).refusal == .notFound)
    let stored = try await scene.send(.get, "/apple/subs/\(APIScene.firstID)")
    #expect(stored.json?["originalTransactionId"] == .string(APIScene.firstID))
    #expect(stored.json?["ftcUserId"] == .null)
  }

  @Test("a bad receipt is refused before the account is looked up", arguments: unknown)
  func badReceipt(headers: KeyValuePairs<HTTPHeaderName, String>) async throws {
    let scene = try APIScene()
    let receipt = try scene.appStore.buy(APIScene.monthly).receipt
    #expect(
      try await link(scene, "", headers).refusal
        == Refusal("receipt-data", "missing_field", "receipt-data missing"))
    scene.appStore.fail(with: .status(.notAuthenticated))
    #expect(try await link(scene, receipt, headers).refusal == .invalid2019())
  }

  @Test("an environment that is not allowed is an invalid receipt")
  func sandbox() async throws {
    let scene = try APIScene(environment: .sandbox)
    let receipt = try scene.appStore.buy(APIScene.monthly).receipt
    #expect(try await link(scene, receipt).refusal == .invalid2019())
  }

  @Test("each refusal has its field, code and text")
  func refusals() async throws {
    let scene = try APIScene()
    let one = try scene.appStore.buy(APIScene.monthly, by: "one").receipt
    let two = try scene.appStore.buy(APIScene.monthly, by: "two").receipt
    #expect(try await link(scene, one).status == 200)
    #expect(
      try await link(scene, one, [.userID: "bob"]).refusal
        == Refusal(
          "iap_membership", "already_linked",
          "one apple subscription cannot be linked to multiple FTC account"))
    #expect(
      try await link(scene, two).refusal
        == Refusal(
          "ftc_membership", "already_linked",
          "target ftc account is already linked to another apple subscription"))
    try await scene.payByAlipay("bob", until: "2030-01-01")
    let three = try scene.appStore.buy(APIScene.monthly, by: "three").receipt
    #expect(
      try await link(scene, three, [.userID: "bob"]).refusal
        == Refusal(
          "ftc_membership", "valid_non_iap",
          "target ftc account already has a valid membership"))
  }
}
