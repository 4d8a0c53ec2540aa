import HTTPMessages
import JSONValues
import JWSVerifier
import ReceiptModels
import StoreSimulators
import Testing

@Suite("The simulator's consumption information and refund decisions")
struct SimulatedRefundDecisionTests {
  private func path(_ id: String, version: Int = 2) -> String {
    "/inApps/v\(version)/transactions/consumption/\(id)"
  }

  private func body(_ more: String = "", delivery: String = "DELIVERED") -> String {
    #"{"customerConsented":true,"deliveryStatus":"\#(delivery)","sampleContentProvided":false\#(more)}"#
  }

  @Test("a refund is decided by what the server sent")
  func decisions() async throws {
    for (sent, type, percentage) in [
      (#","refundPreference":"GRANT_FULL""#, RevocationType.refundFull, 100_000),
      (
        #","refundPreference":"GRANT_PRORATED","consumptionPercentage":40000"#, .refundProrated,
        60_000
      ),
      ("", .refundFull, 100_000),
    ] {
      let scene = try ServerAPIScene()
      let coffee = try scene.appStore.buy("reader.coffee")
      let request = try scene.appStore.requestRefund(coffee, reason: .legal)
      let notification = try scene.verifier.notification(request.signedPayload).payload.notification
      #expect(notification.notificationType == .consumptionRequest)
      #expect(notification.data?.consumptionRequestReason == .legal)
      let response = try await scene.send(.put, path(coffee.transactionID), body(sent))
      #expect(response.status == .accepted)
      #expect(response.body.isEmpty)
      let decision = try scene.appStore.decideRefund(coffee)
      #expect(decision.type == .refund)
      #expect(decision.transaction.revocationType == type)
      #expect(decision.transaction.revocationPercentage == percentage)
    }
  }

  @Test("a refund that the server declines is declined; one that nobody asked for is not decided")
  func declined() async throws {
    let scene = try ServerAPIScene()
    let coffee = try scene.appStore.buy("reader.coffee")
    #expect(throws: SimulatorFailure.refundNotRequested) {
      try scene.appStore.decideRefund(coffee)
    }
    try scene.appStore.requestRefund(coffee)
    _ = try await scene.send(
      .put, path(coffee.transactionID), body(#","refundPreference":"DECLINE""#))
    let decision = try scene.appStore.decideRefund(coffee)
    #expect(decision.type == .refundDeclined)
    #expect(decision.transaction.revocationDate == nil)
    try scene.appStore.refund(coffee)
    #expect(throws: SimulatorFailure.alreadyRefunded) {
      try scene.appStore.requestRefund(coffee)
    }
  }

  @Test("a prorated refund of a subscription is the rest of its period")
  func proratedSubscription() async throws {
    let scene = try ServerAPIScene()
    let monthly = try scene.appStore.buy("reader.monthly")
    try scene.appStore.requestRefund(monthly)
    scene.pass(6)
    _ = try await scene.send(
      .put, path(monthly.transactionID), body(#","refundPreference":"GRANT_PRORATED""#))
    let decision = try scene.appStore.decideRefund(monthly)
    // 24 of 30 days are left.
    #expect(decision.transaction.revocationPercentage == 80_000)
    #expect(decision.renewalInfo?.autoRenewStatus == .off)
  }

  @Test("wrong consumption information is refused with its code")
  func wrongBodies() async throws {
    let scene = try ServerAPIScene()
    let coffee = try scene.appStore.buy("reader.coffee")
    let monthly = try scene.appStore.buy("reader.monthly")
    let shared = try scene.appStore.share(monthly, with: "child")
    for (id, body, code) in [
      (coffee.transactionID, "{}", 4_000_035),
      (coffee.transactionID, #"{"customerConsented":false}"#, 4_000_035),
      (coffee.transactionID, body(delivery: "LOST"), 4_000_036),
      (
        coffee.transactionID, #"{"customerConsented":true,"deliveryStatus":"DELIVERED"}"#,
        4_000_041
      ),
      (coffee.transactionID, body(#","refundPreference":"MAYBE""#), 4_000_044),
      (monthly.transactionID, body(#","consumptionPercentage":1"#), 4_000_209),
      (shared.transactionID, body(), 4_000_185),
      (coffee.appTransactionID, body(), 4_000_048),
      ("x", body(), 4_000_006), ("12", body(), 4_040_010),
    ] {
      #expect(try await scene.code(.put, path(id), body) == code)
    }
    // These have a name but no known number.
    for (more, delivery) in [
      (#","consumptionPercentage":100001"#, "DELIVERED"),
      (#","consumptionPercentage":1"#, "UNDELIVERED_OTHER"),
      (#","refundPreference":"GRANT_PRORATED""#, "DELIVERED"),
      (#","refundPreference":"GRANT_PRORATED","consumptionPercentage":100000"#, "DELIVERED"),
    ] {
      let response = try await scene.send(
        .put, path(coffee.transactionID), body(more, delivery: delivery))
      #expect(response.status == .badRequest)
      #expect(try JSONValue(parsing: response.body)["errorCode"] == nil)
    }
  }

  @Test("version 1 needs all eleven members")
  func versionOne() async throws {
    let scene = try ServerAPIScene()
    let coffee = try scene.appStore.buy("reader.coffee")
    let lifetime = try scene.appStore.buy("reader.lifetime")
    let whole: [String: JSONValue] = [
      "customerConsented": .boolean(true), "sampleContentProvided": .boolean(false),
      "consumptionStatus": .integer(0), "platform": .integer(1), "deliveryStatus": .integer(0),
      "accountTenure": .integer(0), "playTime": .integer(0), "userStatus": .integer(1),
      "lifetimeDollarsRefunded": .integer(0), "lifetimeDollarsPurchased": .integer(0),
      "appAccountToken": .string(""), "refundPreference": .integer(2),
    ]
    func text(_ members: [String: JSONValue]) -> String {
      String(decoding: JSONValue.object(members).serialized, as: UTF8.self)
    }
    for (member, code) in [
      ("customerConsented", 4_000_035), ("sampleContentProvided", 4_000_041),
      ("consumptionStatus", 4_000_034), ("platform", 4_000_039), ("deliveryStatus", 4_000_036),
      ("accountTenure", 4_000_032), ("playTime", 4_000_040), ("userStatus", 4_000_042),
      ("lifetimeDollarsRefunded", 4_000_038), ("lifetimeDollarsPurchased", 4_000_037),
      ("appAccountToken", 4_000_033),
    ] {
      var body = whole
      body[member] = nil
      #expect(
        try await scene.code(.put, path(coffee.transactionID, version: 1), text(body)) == code)
      body[member] = .string("x")
      #expect(
        try await scene.code(.put, path(coffee.transactionID, version: 1), text(body)) == code)
    }
    #expect(
      try await scene.code(.put, path(lifetime.transactionID, version: 1), text(whole))
        == 4_000_047)
    try scene.appStore.requestRefund(coffee)
    let response = try await scene.send(
      .put, path(coffee.transactionID, version: 1), text(whole))
    #expect(response.status == .accepted)
    #expect(try scene.appStore.decideRefund(coffee).type == .refundDeclined)
  }
}
