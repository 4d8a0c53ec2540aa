import Foundation
import JSONValues
import HTTPMessages
import ReceiptModels
import StorekeeperSimulatorControl
import StorekeeperTesting
import Testing

@Suite("Control requests to the App Store simulator")
struct ControlOrderTests {
  @Test("buy makes a subscription and notifies the webhook")
  func buy() async throws {
    let scene = try ControlScene()
    let answer = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    let subscription = try #require(answer["subscription"])
    #expect(subscription["customer"] == .string("alice"))
    #expect(subscription["environment"] == .string("Production"))
    #expect(subscription["status"] == .string("active"))
    #expect(subscription["autoRenew"] == .boolean(true))
    #expect(subscription["expires"] == .string("2023-12-14T22:13:20Z"))
    let charge = try #require(subscription["timeline"]?.list.first)
    #expect(charge["purchased"] == .string("2023-11-14T22:13:20Z"))
    #expect(charge["transactionId"] == subscription["originalTransactionId"])
    let notification = try #require(answer["notifications"]?.list.first)
    #expect(notification["type"] == .string("SUBSCRIBED"))
    #expect(notification["subtype"] == .string("INITIAL_BUY"))
    #expect(notification["version"] == .string("v2"))
    #expect(notification["state"] == .string("accepted"))
    #expect(
      notification["attempts"] == .array([.object(["status": .integer(200), "text": .string("")])]))
    #expect(scene.webhook.requests.map(\.url) == ["http://127.0.0.1:1/webhook"])
  }

  @Test("renew adds a period after the last")
  func renew() async throws {
    let scene = try ControlScene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    let answer = try await scene.order("renew", #"{"customer":"alice"}"#)
    let timeline = try #require(answer["subscription"]?["timeline"])
    #expect(timeline.texts("reason") == ["purchase", "renewal"])
    #expect(timeline.texts("expires") == ["2023-12-14T22:13:20Z", "2024-01-13T22:13:20Z"])
    #expect(answer["notifications"]?.texts("type") == ["DID_RENEW"])
  }

  @Test("refund takes back the newest charge, or the named one")
  func refund() async throws {
    let scene = try ControlScene()
    let bought = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    let first = try #require(bought["subscription"]?["originalTransactionId"]?.text)
    _ = try await scene.order("renew", #"{"customer":"alice"}"#)
    let newest = try await scene.order("refund", #"{"originalTransactionId":"\#(first)"}"#)
    #expect(newest["subscription"]?["status"] == .string("refunded"))
    #expect(
      newest["subscription"]?["timeline"]?.texts("refunded") == [nil, "2023-11-14T22:13:20Z"])
    #expect(newest["notifications"]?.texts("type") == ["REFUND"])
    let named = try await scene.order("refund", #"{"transactionId":"\#(first)"}"#)
    #expect(
      named["subscription"]?["timeline"]?.texts("refunded")
        == ["2023-11-14T22:13:20Z", "2023-11-14T22:13:20Z"])
    #expect(try await scene.refusal("refund", #"{"transactionId":"\#(first)"}"#) == .conflict)
    #expect(try await scene.refusal("renew", #"{"customer":"alice"}"#) == .conflict)
  }

  @Test("upgrade replaces the active subscription")
  func upgrade() async throws {
    let scene = try ControlScene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    let answer = try await scene.order(
      "upgrade", #"{"customer":"alice","product":"reader.premium"}"#)
    #expect(answer["subscription"]?["product"] == .string("reader.premium"))
    #expect(
      answer["subscription"]?["timeline"]?.list.map { $0["upgraded"] }
        == [.boolean(true), .boolean(false)])
    #expect(answer["notifications"]?.texts("subtype") == ["UPGRADE"])
    let same = #"{"customer":"alice","product":"reader.premium"}"#
    #expect(try await scene.refusal("upgrade", same) == .badRequest)
  }

  @Test("lapse ends a subscription that the customer cancels, at once")
  func lapse() async throws {
    let scene = try ControlScene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    let answer = try await scene.order("lapse", #"{"customer":"alice"}"#)
    #expect(answer["subscription"]?["status"] == .string("expired"))
    #expect(answer["subscription"]?["expires"] == .string("2023-11-14T22:13:20Z"))
    #expect(
      answer["notifications"]?.texts("type") == ["DID_CHANGE_RENEWAL_STATUS", "EXPIRED"])
    #expect(
      answer["notifications"]?.texts("subtype") == ["AUTO_RENEW_DISABLED", "VOLUNTARY"])
    #expect(try await scene.refusal("lapse", #"{"customer":"alice"}"#) == .conflict)
    // The same subscription continues when the customer returns.
    let again = try await scene.order("buy", #"{"customer":"alice","product":"reader.yearly"}"#)
    #expect(again["notifications"]?.texts("subtype") == ["RESUBSCRIBE"])
    #expect(
      again["subscription"]?["originalTransactionId"]
        == answer["subscription"]?["originalTransactionId"])
  }

  @Test("lapse lets the period expire, and notifies once the clock reaches its end")
  func lapseAtEnd() async throws {
    let scene = try ControlScene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    _ = try await scene.order("buy", #"{"customer":"bob","product":"reader.monthly"}"#)
    let answer = try await scene.order("lapse", #"{"customer":"alice","when":"periodEnd"}"#)
    #expect(answer["subscription"]?["status"] == .string("active"))
    #expect(answer["subscription"]?["autoRenew"] == .boolean(false))
    #expect(answer["notifications"]?.texts("type") == ["DID_CHANGE_RENEWAL_STATUS"])
    let before = try await scene.order("advance", #"{"days":29}"#)
    #expect(before["notifications"]?.list.isEmpty == true)
    let after = try await scene.order("advance", #"{"seconds":86400}"#)
    #expect(after["now"] == .string("2023-12-14T22:13:20Z"))
    #expect(after["notifications"]?.texts("type") == ["EXPIRED"])
    #expect(after["notifications"]?.texts("customer") == ["alice"])
    let state = try await scene.state()
    #expect(state["subscriptions"]?.texts("status") == ["expired", "expired"])
    #expect(try await scene.order("renew", #"{"customer":"bob"}"#)["notifications"] != nil)
  }

  @Test("a payment fails, and the renewal recovers it")
  func billing() async throws {
    let scene = try ControlScene()
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    let failed = try await scene.order("lapse", #"{"customer":"alice","reason":"billing"}"#)
    #expect(failed["subscription"]?["status"] == .string("billingRetry"))
    #expect(failed["notifications"]?.texts("type") == ["DID_FAIL_TO_RENEW"])
    let renewed = try await scene.order("renew", #"{"customer":"alice"}"#)
    #expect(renewed["subscription"]?["status"] == .string("active"))
    #expect(renewed["notifications"]?.texts("subtype") == ["BILLING_RECOVERY"])
  }

  @Test("the environments are independent")
  func environments() async throws {
    let scene = try ControlScene()
    let body = #"{"customer":"alice","product":"reader.monthly","environment":"Sandbox"}"#
    let answer = try await scene.order("buy", body)
    #expect(answer["subscription"]?["environment"] == .string("Sandbox"))
    #expect(try await scene.refusal("renew", #"{"customer":"alice"}"#) == .notFound)
    _ = try await scene.order("renew", #"{"customer":"alice","environment":"sandbox"}"#)
    _ = try await scene.order("buy", #"{"customer":"alice","product":"reader.monthly"}"#)
    #expect(try await scene.state()["subscriptions"]?.list.count == 2)
  }

  @Test("the page is told where the desk is, until it is told that there is none")
  func desk() async throws {
    let scene = try ControlScene()
    #expect(try await scene.state()["desk"] == .null)
    _ = try await scene.order("desk", #"{"url":"http://127.0.0.1:1/desk"}"#)
    #expect(try await scene.state()["desk"] == .string("http://127.0.0.1:1/desk"))
    #expect(try await scene.refusal("desk", #"{"url":"desk"}"#) == .badRequest)
    _ = try await scene.order("desk", "{}")
    #expect(try await scene.state()["desk"] == .null)
  }

  @Test("the state has the products, the customers and the webhook")
  func state() async throws {
    let scene = try ControlScene { $0.products = [SoldProduct(id: "a", name: "An A", days: 7)] }
    _ = try await scene.order("buy", #"{"customer":"bob","product":"a"}"#)
    let state = try await scene.state()
    #expect(state["now"] == .string("2023-11-14T22:13:20Z"))
    #expect(state["isAhead"] == .boolean(false))
    #expect(state["bundleId"] == .string("com.example.reader"))
    #expect(state["webhook"] == .string("http://127.0.0.1:1/webhook"))
    #expect(state["versions"] == .string("v2"))
    #expect(
      state["products"]
        == .array([
          .object([
            "id": .string("a"), "name": .string("An A"), "days": .integer(7),
            "commitmentPrice": .null, "winBackOffers": .array([]),
          ])
        ]))
    #expect(state["customers"] == .array([.string("bob")]))
    #expect(state["subscriptions"]?.texts("expires") == ["2023-11-21T22:13:20Z"])
    #expect(state["notifications"]?.texts("customer") == ["bob"])
  }

  @Test("the clock follows the machine's, and can be ahead of it")
  func clock() async throws {
    let machine = Machine()
    let scene = try ControlScene(machine: machine)
    machine.move(by: 90)
    #expect(try await scene.state()["now"] == .string("2023-11-14T22:14:50Z"))
    // If the machine's clock is set back, the simulator's is not.
    machine.move(by: -60)
    #expect(try await scene.state()["now"] == .string("2023-11-14T22:14:50Z"))
    #expect(try await scene.state()["isAhead"] == .boolean(false))
    let answer = try await scene.order("advance", #"{"seconds":300}"#)
    #expect(answer["now"] == .string("2023-11-14T22:19:50Z"))
    #expect(try await scene.state()["isAhead"] == .boolean(true))
  }
}
