import Foundation
import HTTPMessages
import StorekeeperLocks
import JSONValues
import ReceiptModels
import StorekeeperSimulatorControl
import StorekeeperTesting
import Testing

@Suite("Delivery of notifications by the App Store simulator")
struct DeliveryTests {
  private let buy = #"{"customer":"alice","product":"reader.monthly"}"#

  @Test("are sent in the configured versions")
  func versions() async throws {
    for (versions, told) in [
      (NotificationVersions.v1, ["v1"]), (.v2, ["v2"]), (.both, ["v1", "v2"]), (.none, []),
    ] {
      let scene = try ControlScene(versions: versions)
      let answer = try await scene.order("buy", buy)
      #expect(scene.webhook.requests.count == told.count)
      #expect(scene.webhook.requests.allSatisfy { $0.method == .post })
      if versions == .none {
        #expect(answer["notifications"]?.texts("state") == ["unsent"])
      } else {
        #expect(answer["notifications"]?.texts("version") == told)
      }
      for (request, version) in zip(scene.webhook.requests, told) {
        let body = try JSONValue(parsing: request.body)
        #expect((body["signedPayload"] != nil) == (version == "v2"))
        #expect((body["password"] != nil) == (version == "v1"))
      }
    }
  }

  @Test("of version 1 are not made for events without a type in it")
  func untold() async throws {
    let scene = try ControlScene(versions: .both)
    _ = try await scene.order("buy", buy)
    let answer = try await scene.order("lapse", #"{"customer":"alice"}"#)
    #expect(
      answer["notifications"]?.list.map { [$0["version"]?.text, $0["type"]?.text] } == [
        ["v1", "DID_CHANGE_RENEWAL_STATUS"], ["v2", "DID_CHANGE_RENEWAL_STATUS"],
        ["v2", "EXPIRED"],
      ])
  }

  @Test("are listed and not sent without a webhook")
  func without() async throws {
    let scene = try ControlScene { $0.webhook = nil }
    let answer = try await scene.order("buy", buy)
    #expect(answer["notifications"]?.texts("state") == ["unsent"])
    #expect(try await scene.state()["webhook"] == .null)
    #expect(scene.webhook.requests.isEmpty)
  }

  @Test("are sent to a new webhook from then on")
  func elsewhere() async throws {
    let scene = try ControlScene { $0.webhook = nil }
    _ = try await scene.order("buy", buy)
    let url = "http://127.0.0.1:2/api/v1/webhook/apple"
    let answer = try await scene.order("webhook", #"{"url":"\#(url)","versions":"both"}"#)
    #expect(answer == .object(["webhook": .string(url), "versions": .string("both")]))
    _ = try await scene.order("renew", #"{"customer":"alice"}"#)
    #expect(scene.webhook.requests.map(\.url) == [url, url])
    _ = try await scene.order("webhook", "{}")
    #expect(try await scene.state()["webhook"] == .null)
    #expect(try await scene.state()["versions"] == .string("both"))
    _ = try await scene.order("renew", #"{"customer":"alice"}"#)
    #expect(scene.webhook.requests.count == 2)
    for url in ["", "127.0.0.1", "ftp://127.0.0.1", "http://"] {
      #expect(try await scene.refusal("webhook", #"{"url":"\#(url)"}"#) == .badRequest)
    }
  }

  @Test(
    "are sent to the webhook at the time of the event, even if it changes meanwhile",
    arguments: ["{}", #"{"url":"http://127.0.0.1:2/elsewhere","versions":"both"}"#])
  func toldMeanwhile(order: String) async throws {
    let scene = try ControlScene(versions: .both, webhook: Webhook([503]))
    async let bought = scene.order("buy", buy)
    await scene.clock.sleepers(reach: 1)
    _ = try await scene.order("webhook", order)
    scene.clock.advance(by: .milliseconds(300))
    #expect(try await bought["notifications"]?.texts("state") == ["accepted", "accepted"])
    #expect(
      scene.webhook.requests.map(\.url)
        == Array(repeating: "http://127.0.0.1:1/webhook", count: 3))
  }

  @Test("are retried with the same identifier until they are accepted")
  func again() async throws {
    let scene = try ControlScene(webhook: Webhook([503, 500]))
    async let order = scene.order("buy", buy)
    await scene.clock.sleepers(reach: 1)
    let underWay = try await scene.state()["notifications"]?.list.first
    #expect(underWay?["state"] == .string("underWay"))
    #expect(underWay?["attempts"]?.list.count == 1)
    scene.clock.advance(by: .milliseconds(300))
    await scene.clock.sleepers(reach: 1)
    #expect(scene.webhook.requests.count == 2)
    scene.clock.advance(by: .seconds(1))
    let notification = try #require(try await order["notifications"]?.list.first)
    #expect(notification["state"] == .string("accepted"))
    #expect(
      notification["attempts"]?.list.map { $0["status"] } == [503, 500, 200].map(JSONValue.integer))
    #expect(notification["attempts"]?.texts("text") == ["answer 503", "answer 500", ""])
    // The bytes are the same: Apple's identifier of the notification does not change.
    #expect(Set(scene.webhook.requests.map(\.body)).count == 1)
  }

  @Test("are given up after three attempts, and the change takes effect nevertheless")
  func givenUp() async throws {
    let webhook = Webhook { _ in throw HTTPTransportFailure(.notConnected) }
    let scene = try ControlScene(webhook: webhook)
    async let order = scene.order("buy", buy)
    for pause in [Duration.milliseconds(300), .seconds(1)] {
      await scene.clock.sleepers(reach: 1)
      scene.clock.advance(by: pause)
    }
    let answer = try await order
    let notification = try #require(answer["notifications"]?.list.first)
    #expect(notification["state"] == .string("givenUp"))
    #expect(
      notification["attempts"]
        == .array(
          Array(
            repeating: .object(["status": .null, "text": .string("notConnected")]), count: 3)))
    #expect(answer["subscription"]?["status"] == .string("active"))
  }

  @Test("are listed newest first, at most 500 of them")
  func bounded() async throws {
    let scene = try ControlScene(versions: .both) { $0.webhook = nil }
    _ = try await scene.order("buy", buy)
    for _ in 1...250 { _ = try await scene.order("renew", #"{"customer":"alice"}"#) }
    let list = try #require(try await scene.state()["notifications"]?.list)
    // Two of each event.
    #expect(list.count == 500)
    #expect(list.first?["number"] == .integer(502))
    #expect(list.last?["number"] == .integer(3))
  }

  @Test("keep only the beginning of a webhook's answer")
  func longAnswer() async throws {
    let webhook = Webhook { _ in
      HTTPResponseMessage(status: .ok, body: Array(repeating: UInt8(ascii: "x"), count: 5000))
    }
    let answer = try await (try ControlScene(webhook: webhook)).order("buy", buy)
    let text = answer["notifications"]?.list.first?["attempts"]?.texts("text").first ?? nil
    #expect(text?.utf8.count == 300)
  }
}
