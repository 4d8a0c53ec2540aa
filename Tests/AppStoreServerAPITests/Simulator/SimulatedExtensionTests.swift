import Foundation
import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import StorekeeperTesting
import Testing

@Suite("The simulator's extensions")
struct SimulatedExtensionTests {
  private func path(_ id: String) -> String { "/inApps/v1/subscriptions/extend/\(id)" }

  private func body(days: Int = 30, reason: Int = 1, request: String = "request") -> String {
    #"{"extendByDays":\#(days),"extendReasonCode":\#(reason),"requestIdentifier":"\#(request)"}"#
  }

  @Test("an extension moves the expiry and tells so")
  func one() async throws {
    let scene = try ServerAPIScene()
    let monthly = try scene.appStore.buy("reader.monthly")
    let expiry = try #require(monthly.notification.transaction.expiresDate) + 45 * 86_400
    let answer = try await scene.ask(
      .put, path(monthly.originalTransactionID), body(days: 45))
    #expect(answer["originalTransactionId"] == .string(monthly.originalTransactionID))
    #expect(answer["success"] == .boolean(true))
    #expect(answer["effectiveDate"]?.number == scene.milliseconds(expiry))
    #expect(
      answer["webOrderLineItemId"]?.string == monthly.notification.transaction.webOrderLineItemID)
    let sent = try #require(scene.appStore.sentNotifications.last)
    #expect(sent.type == .renewalExtended)
    #expect(
      try scene.verifier.notification(sent.signedPayload).payload.transaction?.payload.expiresDate
        == expiry)
    let info = try await scene.get("/inApps/v1/transactions/\(monthly.transactionID)")
    #expect(try scene.transaction(info["signedTransactionInfo"]).expiresDate == expiry)
  }

  @Test("a subscription is extended twice in 365 days")
  func twice() async throws {
    let scene = try ServerAPIScene()
    let yearly = try scene.appStore.buy("reader.yearly")
    let path = path(yearly.originalTransactionID)
    for _ in 1...2 {
      scene.pass(1)
      #expect(try await scene.send(.put, path, body(days: 90)).status == .ok)
    }
    #expect(try await scene.code(.put, path, body()) == 4_030_005)
    scene.pass(365)
    #expect(try await scene.send(.put, path, body()).status == .ok)
  }

  @Test("wrong and ineligible requests are refused")
  func refusals() async throws {
    let scene = try ServerAPIScene()
    let monthly = try scene.appStore.buy("reader.monthly")
    let trial = try scene.appStore.buy("reader.monthly", by: "trial", offer: .trial)
    let expired = try scene.appStore.buy("reader.monthly", by: "expired")
    try scene.appStore.expire(expired, for: .customerCancelled)
    let retried = try scene.appStore.buy("reader.monthly", by: "retried")
    try scene.appStore.endPeriod(retried)
    try scene.appStore.failRenewal(retried)
    let shared = try scene.appStore.share(monthly, with: "child")
    for (id, body, code) in [
      (monthly.transactionID, body(days: 0), 4_000_009),
      (monthly.transactionID, body(days: 91), 4_000_009),
      (monthly.transactionID, body(reason: 4), 4_000_010),
      (monthly.transactionID, body(request: ""), 4_000_011),
      (monthly.transactionID, body(request: String(repeating: "x", count: 129)), 4_000_011),
      ("x", body(), 4_000_008), ("12", body(), 4_040_005),
      (trial.transactionID, body(), 4_030_004), (expired.transactionID, body(), 4_030_004),
      (retried.transactionID, body(), 4_030_004), (shared.transactionID, body(), 4_030_007),
    ] {
      #expect(try await scene.code(.put, path(id), body) == code)
    }
  }

  @Test("an extension for all counts successes and failures, and runs once")
  func mass() async throws {
    let scene = try ServerAPIScene { $0.massExtensionDelay = .seconds(3600) }
    let paid = try scene.appStore.buy("reader.monthly", by: "paid")
    try scene.appStore.buy("reader.monthly", by: "trial", offer: .trial)
    try scene.appStore.buy("reader.yearly", by: "other")
    let request = UUID().uuidString
    let all = "/inApps/v1/subscriptions/extend/mass"
    let body =
      #"{"requestIdentifier":"\#(request)","extendByDays":7,"extendReasonCode":3,"productId":"reader.monthly"}"#
    for _ in 1...2 {
      let answer = try await scene.ask(.post, all, body)
      #expect(answer == .object(["requestIdentifier": .string(request)]))
    }
    let status = "\(all)/reader.monthly/\(request)"
    #expect(
      try await scene.get(status)
        == .object(["requestIdentifier": .string(request), "complete": .boolean(false)]))
    scene.appStore.clock.advance(by: .seconds(3600))
    let done = try await scene.get(status)
    #expect(done["complete"] == .boolean(true))
    #expect(done["succeededCount"] == .integer(1))
    #expect(done["failedCount"] == .integer(1))
    #expect(done["completeDate"]?.number == scene.milliseconds(scene.appStore.now))
    let sent = scene.appStore.sentNotifications.suffix(3)
    #expect(sent.map(\.type) == [.renewalExtended, .renewalExtension, .renewalExtension])
    #expect(sent.map(\.subtype) == [nil, .failure, .summary])
    #expect(sent.first?.transaction?.transactionID == paid.transactionID)
    let payload = try #require(sent.last).signedPayload
    let summary = try scene.verifier.notification(payload).payload.notification.summary
    #expect(summary?.succeededCount == 1)
    #expect(summary?.failedCount == 1)
    #expect(summary?.requestIdentifier == request.lowercased())
    #expect(summary?.productID == "reader.monthly")
  }

  @Test("wrong extensions for all are refused")
  func wrongMass() async throws {
    let scene = try ServerAPIScene()
    let all = "/inApps/v1/subscriptions/extend/mass"
    func body(
      _ request: String = UUID().uuidString, product: String = "reader.monthly",
      _ more: String = ""
    ) -> String {
      #"{"requestIdentifier":"\#(request)","extendByDays":7,"extendReasonCode":3,"productId":"\#(product)"\#(more)}"#
    }
    for (body, code) in [
      (body("no UUID"), 4_000_011), (body(product: "reader.coffee"), 4_000_023),
      (
        body(
          UUID().uuidString,
          #","storefrontCountryCodes":[]"#), 4_000_027
      ),
      (body(UUID().uuidString, #","storefrontCountryCodes":["us"]"#), 4_000_028),
    ] {
      #expect(try await scene.code(.post, all, body) == code)
    }
    #expect(
      try await scene.code(.get, "\(all)/reader.monthly/\(UUID().uuidString)") == 4_040_009)
    #expect(try await scene.code(.get, "\(all)/reader.monthly/x") == 4_000_011)
  }
}
