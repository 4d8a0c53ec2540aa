import HTTPMessages
import StoreSimulators
import Testing

@Suite("POST /apple/unlink")
struct UnlinkTests {
  private static let notLinked = Refusal(
    "ftcId", "invalid", "IAP is not linked to the ftc account")

  @Test("ends the membership with 204 and no body; a second time is refused")
  func unlink() async throws {
    let scene = try APIScene()
    let id = try await scene.bought().originalTransactionID
    let body = #"{"ftcId":"alice","originalTxId":"\#(id)"}"#
    #expect(try await scene.send(.post, "/apple/link", body).status == 200)
    let response = try await scene.send(.post, "/apple/unlink", body)
    #expect(response.status == 204)
    #expect(response.isEmpty)
    #expect(try await scene.membership(of: "alice") == nil)
    #expect(try await scene.send(.post, "/apple/unlink", body).refusal == Self.notLinked)
  }

  @Test("a key `force` is ignored, whatever it holds")
  func force() async throws {
    let scene = try APIScene()
    let id = try await scene.bought().originalTransactionID
    _ = try await scene.send(
      .post, "/apple/link", #"{"ftcId":"alice","originalTxId":"\#(id)"}"#)
    let body = #"{"ftcId":"alice","originalTxId":"\#(id)","force":[1]}"#
    #expect(try await scene.send(.post, "/apple/unlink", body).status == 204)
  }

  @Test("a body that is wrong is 400")
  func badBody() async throws {
    let scene = try APIScene()
    for body in ["", "true", #"{"ftcId":true}"#, #"{"ftcId":"alice","originalTxId":1}"#] {
      #expect(try await scene.send(.post, "/apple/unlink", body).refusal == .badJSON)
    }
  }

  @Test("an unknown subscription is 404, whoever asks")
  func unknown() async throws {
    let scene = try APIScene()
    for (account, id) in [("alice", "42"), ("nobody", "42"), ("alice", "a/b"), ("ä", "42")] {
      #expect(
        try await scene.send(
          .post, "/apple/unlink",
          #"{"ftcId":\#(quoted(account)),"originalTxId":\#(quoted(id))}"#
        ).refusal == .notFound)
    }
  }

  @Test("a subscription of nobody, or of another account, is not linked")
  func notLinked() async throws {
    let scene = try APIScene()
    let id = try await scene.bought().originalTransactionID
    let body = #"{"ftcId":"alice","originalTxId":"\#(id)"}"#
    #expect(try await scene.send(.post, "/apple/unlink", body).refusal == Self.notLinked)
    _ = try await scene.send(.post, "/apple/link", body)
    for account in ["bob", "nobody", "ä"] {
      #expect(
        try await scene.send(
          .post, "/apple/unlink", #"{"ftcId":"\#(account)","originalTxId":"\#(id)"}"#
        ).refusal == Self.notLinked)
    }
    #expect(try await scene.membership(of: "alice") != nil)
  }
}
