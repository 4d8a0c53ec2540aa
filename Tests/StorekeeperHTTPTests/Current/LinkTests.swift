import JSONValues
import HTTPMessages
import LinkPolicy
import ReceiptModels
import StoreSimulators
import Testing

@Suite("POST /apple/link")
struct LinkTests {
  private func body(_ account: String, _ id: String, force: String? = nil) -> String {
    let force = force.map { #","force":\#($0)"# } ?? ""
    return #"{"ftcId":\#(quoted(account)),"originalTxId":\#(quoted(id))\#(force)}"#
  }

  @Test("answers with the membership, all twelve members of it")
  func link() async throws {
    let scene = try APIScene()
    let id = try await scene.bought().originalTransactionID
    let response = try await scene.send(.post, "/apple/link", body("alice", id))
    #expect(response.status == 200)
    let expected = try json(
      """
      {"ftcId":"alice","unionId":null,"tier":"standard","cycle":"month",
      "expireDate":"2023-12-14","payMethod":"apple","ftcPlanId":null,"stripeSubsId":null,
      "autoRenew":true,"status":null,"appleSubsId":"300000000000001","b2bLicenceId":null}
      """)
    #expect(response.json == expected)
    let again = try await scene.send(.post, "/apple/link", body("alice", id, force: "null"))
    #expect(again.status == 200)
    #expect(again.json == expected)
  }

  @Test("a body that is wrong is 400, also where something else is missing (L1)")
  func badBody() async throws {
    let scene = try APIScene()
    for body in [
      "", "null", #""text""#, #"{"ftcId":1}"#, #"{"originalTxId":300000000000001}"#,
      #"{"force":"true"}"#, #"{"force":1}"#, #"{"ftcId":["alice"]}"#, #"{"ftcId":{}}"#,
    ] {
      #expect(try await scene.send(.post, "/apple/link", body).refusal == .badJSON)
    }
  }

  @Test(
    "the first field that is missing is named (L2)",
    arguments: [
      ("{}", "ftcId"), (#"{"ftcId":" ","originalTxId":null}"#, "ftcId"),
      (#"{"originalTxId":"1"}"#, "ftcId"), (#"{"FtcId":"alice","originalTxId":"1"}"#, "ftcId"),
      (#"{"ftcId":"alice"}"#, "originalTxId"),
      (#"{"ftcId":"alice","originalTxId":"\t"}"#, "originalTxId"),
      (#"{"ftcId":"\u3000\u00a0","originalTxId":"1"}"#, "ftcId"),
      (#"{"ftcId":"alice","originalTxId":"\u2003\n"}"#, "originalTxId"),
    ])
  func missing(body: String, field: String) async throws {
    let scene = try APIScene()
    #expect(try await scene.send(.post, "/apple/link", body).refusal == .missing(field))
    #expect(try await scene.send(.post, "/apple/unlink", body).refusal == .missing(field))
  }

  @Test("an unknown account or subscription is 404 (L3, L4)")
  func unknown() async throws {
    let scene = try APIScene()
    let id = try await scene.bought().originalTransactionID
    for (account, id) in [
      ("nobody", id), ("a\0b", id), (String(repeating: "a", count: 1000), id), ("alice", "42"),
      ("alice", "../../etc/passwd"), ("alice", String(repeating: "1", count: 65)),
    ] {
      #expect(
        try await scene.send(.post, "/apple/link", body(account, id)).refusal == .notFound)
    }
  }

  @Test("a subscription of the Sandbox is refused (L4a), unless the host allows it")
  func sandbox() async throws {
    let scene = try APIScene(environment: .sandbox)
    let id = try await scene.bought().originalTransactionID
    #expect(
      try await scene.send(.post, "/apple/link", body("alice", id), on: "/api/sandbox").refusal
        == Refusal(
          "originalTxId", "environment_not_allowed",
          "Subscriptions of this environment cannot be linked here"))
    var options = LinkOptions()
    options.allowedEnvironments = [.production, .sandbox]
    let open = try APIScene(environment: .sandbox, options: options)
    let other = try await open.bought().originalTransactionID
    #expect(try await open.send(.post, "/apple/link", body("alice", other)).status == 200)
  }

  @Test("the subscription of another account is refused (L5), also by force")
  func otherAccount() async throws {
    let scene = try APIScene()
    let id = try await scene.bought().originalTransactionID
    _ = try await scene.send(.post, "/apple/link", body("alice", id))
    #expect(
      try await scene.send(.post, "/apple/link", body("bob", id, force: "true")).refusal
        == Refusal(
          "originalTxId", "linked_to_other_ftc",
          "Apple subscription is already claimed by another ftc account."))
  }

  @Test("a second subscription needs force (L12a, L12c)")
  func force() async throws {
    let scene = try APIScene()
    let one = try await scene.bought(by: "one").originalTransactionID
    let two = try await scene.bought(APIScene.premium, by: "two").originalTransactionID
    _ = try await scene.send(.post, "/apple/link", body("alice", one))
    for force in [nil, "false", "null"] {
      #expect(
        try await scene.send(.post, "/apple/link", body("alice", two, force: force)).refusal
          == Refusal(
            "ftcId", "linked_to_other_iap",
            "FTC account is already linked to another Apple subscription"))
    }
    let forced = try await scene.send(.post, "/apple/link", body("alice", two, force: "true"))
    #expect(forced.status == 200)
    #expect(forced.json?["appleSubsId"] == .string(two))
    #expect(forced.json?["tier"] == .string("premium"))
  }

  @Test("a strict switch to a subscription that ends earlier is refused (L12b)")
  func strict() async throws {
    var options = LinkOptions()
    options.isSwitchStrict = true
    let scene = try APIScene(options: options)
    let long = try await scene.bought(APIScene.premium, by: "one").originalTransactionID
    let short = try await scene.bought(by: "two").originalTransactionID
    _ = try await scene.send(.post, "/apple/link", body("alice", long))
    #expect(
      try await scene.send(.post, "/apple/link", body("alice", short, force: "true")).refusal
        == Refusal(
          "originalTxId", "expires_earlier",
          "The Apple subscription expires earlier than the current membership"))
  }

  @Test("a valid membership by other means is refused (L13)")
  func otherMeans() async throws {
    let scene = try APIScene()
    let id = try await scene.bought().originalTransactionID
    try await scene.payByAlipay("alice", until: "2023-11-14")
    #expect(
      try await scene.send(.post, "/apple/link", body("alice", id, force: "true")).refusal
        == Refusal(
          "ftcId", "has_valid_non_iap",
          "FTC account already has a valid membership via non-Apple channel"))
  }
}
