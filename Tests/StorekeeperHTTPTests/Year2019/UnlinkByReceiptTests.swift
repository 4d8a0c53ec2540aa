import StoreSimulators
import Storekeeper
import StorekeeperHTTP
import Testing

@Suite("DELETE /apple/link under the contract of 2019")
struct UnlinkByReceiptTests {
  private func unlink(
    _ scene: APIScene, _ receipt: String, _ headers: KeyValuePairs<HTTPHeaderName, String> = [:]
  ) async throws -> HTTPResponseMessage {
    try await scene.send(
      .delete, "/apple/link", #"{"receipt-data":"\#(receipt)"}"#, on: "/2019/api/v1",
      headers: headers)
  }

  /// A scene in which alice has a membership, and the receipt of it.
  private func linked() async throws -> (APIScene, String) {
    let scene = try APIScene()
    let purchase = try await scene.bought()
    _ = try await scene.api.subscriptions.link("alice", to: purchase.originalTransactionID)
    return (scene, try purchase.receipt)
  }

  @Test("ends the membership with 204, as often as wanted, for whoever has the receipt")
  func unlink() async throws {
    let (scene, receipt) = try await linked()
    for _ in 1...2 {
      let response = try await unlink(scene, receipt)
      #expect(response.status == 204)
      #expect(response.isEmpty)
      #expect(try await scene.membership(of: "alice") == nil)
    }
  }

  @Test("leaves what belongs to others than the named user alone, with 204 all the same")
  func others() async throws {
    let (scene, receipt) = try await linked()
    let all: [KeyValuePairs<HTTPHeaderName, String>] = [
      [.userID: "bob"], [.userID: "nobody"], [.secondID: "wx-carol"], [.userID: "a b"],
      [.userID: String(repeating: "a", count: 200)], [.secondID: "ä"],
      [.userID: "alice", .secondID: "a b"],
    ]
    for headers in all {
      #expect(try await unlink(scene, receipt, headers).status == 204)
      #expect(try await scene.membership(of: "alice") != nil)
    }
    #expect(try await unlink(scene, receipt, [.userID: "alice"]).status == 204)
    #expect(try await scene.membership(of: "alice") == nil)
  }

  @Test("a user named twice is 401, and nothing happens")
  func twice() async throws {
    let (scene, receipt) = try await linked()
    #expect(
      try await unlink(scene, receipt, [.userID: "alice", .userID: "bob"]).refusal == .noUser)
    #expect(try await scene.membership(of: "alice") != nil)
  }
}
