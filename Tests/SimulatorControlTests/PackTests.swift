import HTTPMessages
import JSONValues
import ReceiptModels
import StorekeeperSimulatorControl
import StorekeeperTesting
import Testing

@Suite("Packs at the App Store simulator")
struct PackTests {
  private static let pack = "com.example.gems.big"

  private func scene() throws -> ControlScene {
    try ControlScene { $0.packs = [SoldPack(id: Self.pack, name: "Big pack")] }
  }

  @Test("a pack is bought any number of times, with a quantity and an account token")
  func buy() async throws {
    let scene = try scene()
    let token = "3f0e2c1a-58b7-4d6e-9a10-2b7c6d5e4f30"
    let first = try await scene.order(
      "buy",
      #"{"customer":"ann","product":"\#(Self.pack)","quantity":2,"appAccountToken":"\#(token)"}"#)
    let second = try await scene.order("buy", #"{"customer":"ann","product":"\#(Self.pack)"}"#)
    let purchase = try #require(first["purchase"])
    #expect(purchase["product"] == .string(Self.pack))
    #expect(purchase["quantity"] == .integer(2))
    #expect(purchase["refunded"] == .null)
    #expect(purchase["transactionId"] != second["purchase"]?["transactionId"])
    #expect(first["notifications"]?.texts("type") == ["ONE_TIME_CHARGE"])
    #expect(first["notifications"]?.texts("state") == ["accepted"])
    #expect(purchase["signedTransactionInfo"]?.text?.split(separator: ".").count == 3)
    let state = try await scene.state()
    #expect(state["purchases"]?.list.count == 2)
    #expect(state["customers"] == .array([.string("ann")]))
    #expect(state["subscriptions"] == .array([]))
  }

  @Test("a refund is reversed, and can be ordered again")
  func refund() async throws {
    let scene = try scene()
    let bought = try await scene.order("buy", #"{"customer":"ann","product":"\#(Self.pack)"}"#)
    let id = try #require(bought["purchase"]?["transactionId"]?.text)
    let body = #"{"transactionId":"\#(id)"}"#
    #expect(try await scene.refusal("reverseRefund", body) == .conflict)
    for _ in 0..<2 {
      let refunded = try await scene.order("refund", body)
      #expect(refunded["purchase"]?["refunded"] == .string("2023-11-14T22:13:20Z"))
      #expect(refunded["notifications"]?.texts("type") == ["REFUND"])
      #expect(try await scene.refusal("refund", body) == .conflict)
      let restored = try await scene.order("reverseRefund", body)
      #expect(restored["purchase"]?["refunded"] == .null)
      #expect(restored["notifications"]?.texts("type") == ["REFUND_REVERSED"])
    }
  }

  @Test("a refund of a subscription is reversed too")
  func subscription() async throws {
    let scene = try scene()
    let bought = try await scene.order("buy", #"{"customer":"ann","product":"reader.monthly"}"#)
    let id = try #require(bought["subscription"]?["originalTransactionId"]?.text)
    _ = try await scene.order("refund", #"{"transactionId":"\#(id)"}"#)
    let restored = try await scene.order("reverseRefund", #"{"transactionId":"\#(id)"}"#)
    #expect(restored["subscription"]?["timeline"]?.texts("refunded") == [nil])
    #expect(restored["notifications"]?.texts("type") == ["REFUND_REVERSED"])
  }

  @Test("orders with values of the wrong form are refused")
  func refusals() async throws {
    let scene = try scene()
    for member in [#""quantity":0"#, #""quantity":"2""#, #""appAccountToken":"x""#] {
      let body = #"{"customer":"ann","product":"\#(Self.pack)",\#(member)}"#
      #expect(try await scene.refusal("buy", body) == .badRequest)
    }
    #expect(try await scene.refusal("refund", #"{"transactionId":"1"}"#) == .notFound)
    #expect(try await scene.refusal("reverseRefund", #"{"transactionId":"1"}"#) == .notFound)
    #expect(try await scene.refusal("sign", #"{"payload":[]}"#) == .badRequest)
  }

  @Test("any payload is signed as Apple would")
  func sign() async throws {
    let scene = try scene()
    let answer = try await scene.order("sign", #"{"payload":{"transactionId":"7"}}"#)
    let parts = try #require(answer["signed"]?.text).split(separator: ".")
    #expect(parts.count == 3)
    // The Base64 of {"transactionId":"7"}.
    #expect(parts[1] == "eyJ0cmFuc2FjdGlvbklkIjoiNyJ9")
  }
}
