import Foundation
import GooglePlayVerifier
import HTTPMessages
import JSONValues
import ReceiptModels
import StorekeeperFixtures
import Testing

/// Calls on orders and subscriptions, as Google's discovery document describes them.
@Suite("Calls on orders and subscriptions of the Play store")
struct OrderCallTests {
  @Test("orders are read one by one, and many at once")
  func reading() async throws {
    let scene = try await PlayScene([
      .status(200, #"{"orderId":"GPA.1"}"#),
      .status(200, #"{"orders":[{"orderId":"GPA.1"},{"orderId":"GPA.1..0"}]}"#),
    ])
    #expect(try await scene.client.order("GPA.1").orderID == "GPA.1")
    let orders = try await scene.client.orders(["GPA.1", "GPA.1..0"])
    #expect(orders.map(\.orderID) == ["GPA.1", "GPA.1..0"])
    #expect(
      scene.play.requests.map(\.url) == [
        PlayScene.app + "orders/GPA.1",
        PlayScene.app + "orders:batchGet?orderIds=GPA.1&orderIds=GPA.1..0",
      ])
  }

  @Test("1 to 1000 different orders are asked for at once")
  func batches() async throws {
    let scene = try await PlayScene([.status(200, "{}")])
    func fault(_ orderIDs: [String]) async throws -> GooglePlayFailure {
      try await failure { try await scene.client.orders(orderIDs) }
    }
    let numbers = 0...1000
    #expect(
      try await fault([])
        == .invalidCall(.outOfRange(.orderIDs, allowed: 1...1000, found: 0)))
    #expect(
      try await fault(numbers.map { "GPA.\($0)" })
        == .invalidCall(.outOfRange(.orderIDs, allowed: 1...1000, found: 1001)))
    #expect(try await fault(["a", "b", "a"]) == .invalidCall(.repeated(.orderIDs)))
    #expect(try await fault(["a", ""]) == .invalidCall(.empty(.orderID)))
    #expect(scene.play.requests.isEmpty)
    _ = try await scene.client.orders(numbers.dropLast().map { "GPA.\($0)" })
    #expect(scene.play.requests.count == 1)
  }

  @Test("a refund says whether the user keeps the product")
  func refunds() async throws {
    let scene = try await PlayScene([.status(204)])
    try await scene.client.refundOrder("GPA.1", access: .kept)
    try await scene.client.refundOrder("GPA.1", access: .revoked)
    #expect(
      scene.play.requests.map(\.url) == [
        PlayScene.app + "orders/GPA.1:refund?revoke=false",
        PlayScene.app + "orders/GPA.1:refund?revoke=true",
      ])
    #expect(scene.play.requests.allSatisfy { $0.method == .post && $0.body.isEmpty })
  }

  @Test("a review of a refund carries what the developer knows")
  func review() async throws {
    let scene = try await PlayScene([.status(204)])
    var review = OrdersReviewRefundRequest(
      pendingRefundToken: "token", refundPreference: .decline, sampleContentProvided: true)
    review.consumptionPercentageMilliunits = 45_200
    var use = ConsumptionUsageEvent()
    use.consumptionTime = Date(timeIntervalSince1970: 1_793_491_200)
    use.location = CoarseLocation(regionCode: "CH")
    review.consumptionUsageEvents = [use]
    try await scene.client.reviewRefund(of: "GPA.1", review)
    let request = try #require(scene.play.requests.first)
    #expect(request.url == PlayScene.app + "orders/GPA.1:reviewrefund")
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"consumptionPercentageMilliunits":45200,"consumptionUsageEvents":["#
        + #"{"consumptionTime":"2026-11-01T00:00:00.000Z","location":{"regionCode":"CH"}}],"#
        + #""pendingRefundToken":"token","refundPreference":"DECLINE","sampleContentProvided":true}"#
    )
    #expect(!printed(review).contains("token\""))
  }

  @Test("a review that Google would refuse is not sent")
  func invalidReviews() async throws {
    let scene = try await PlayScene([.status(204)])
    let good = OrdersReviewRefundRequest(
      pendingRefundToken: "token", refundPreference: .neutral, sampleContentProvided: false)
    func fault(
      _ change: (inout OrdersReviewRefundRequest) -> Void
    ) async throws -> GooglePlayFailure {
      var review = good
      change(&review)
      let changed = review
      return try await failure { try await scene.client.reviewRefund(of: "GPA.1", changed) }
    }
    #expect(
      try await fault { $0.pendingRefundToken = "" } == .invalidCall(.empty(.pendingRefundToken)))
    #expect(
      try await fault { $0.refundPreference = .unspecified }
        == .invalidCall(.notAccepted(.refundPreference)))
    #expect(
      try await fault { $0.consumptionPercentageMilliunits = 100_001 }
        == .invalidCall(
          .outOfRange(.consumptionPercentageMilliunits, allowed: 0...100_000, found: 100_001)))
    #expect(
      try await fault {
        $0.consumptionUsageEvents = Array(repeating: ConsumptionUsageEvent(), count: 1001)
      } == .invalidCall(.outOfRange(.consumptionUsageEvents, allowed: 0...1000, found: 1001)))
    var long = ConsumptionUsageEvent()
    long.consumptionItemDescription = String(repeating: "a", count: 5001)
    let tooLong = long
    #expect(
      try await fault { $0.consumptionUsageEvents = [tooLong] }
        == .invalidCall(.tooLong(.consumptionItemDescription, limit: 5000)))
    #expect(scene.play.requests.isEmpty)
  }

  @Test("a subscription is canceled, deferred and revoked by its token")
  func subscriptions() async throws {
    let scene = try await PlayScene([
      .status(200, "{}"),
      .status(
        200,
        #"{"itemExpiryTimeDetails":[{"productId":"pro","expiryTime":"2026-11-08T00:00:00Z"}]}"#),
      .status(200, "{}"),
    ])
    let client = scene.client
    try await client.cancelSubscription(token: "t", .developerRequestedStopPayments)
    let expiries = try await client.deferSubscription(
      token: "t", by: .milliseconds(86_400_500), etag: "e", effect: .validatedOnly)
    #expect(expiries.map(\.productID) == ["pro"])
    #expect(expiries.map(\.expiryTime) == [Date(timeIntervalSince1970: 1_794_096_000)])
    try await client.revokeSubscription(token: "t", .fullRefund)
    try await client.revokeSubscription(token: "t", .proratedRefund)
    try await client.revokeSubscription(token: "t", .itemBasedRefund(productID: "addon"))
    let path = PlayScene.base + "subscriptionsv2/tokens/t"
    #expect(
      scene.play.requests.map(\.url) == [
        path + ":cancel", path + ":defer", path + ":revoke", path + ":revoke", path + ":revoke",
      ])
    #expect(
      scene.play.requests.map { String(decoding: $0.body, as: UTF8.self) } == [
        #"{"cancellationContext":{"cancellationType":"DEVELOPER_REQUESTED_STOP_PAYMENTS"}}"#,
        #"{"deferralContext":{"deferDuration":"86400.500000000s","etag":"e","validateOnly":true}}"#,
        #"{"revocationContext":{"fullRefund":{}}}"#,
        #"{"revocationContext":{"proratedRefund":{}}}"#,
        #"{"revocationContext":{"itemBasedRefund":{"productId":"addon"}}}"#,
      ])
  }

  @Test("a change of a subscription that Google would refuse is not sent")
  func invalidChanges() async throws {
    let scene = try await PlayScene([.status(200, "{}")])
    let client = scene.client
    #expect(
      try await failure { try await client.cancelSubscription(token: "t", .unspecified) }
        == .invalidCall(.notAccepted(.cancellationType)))
    #expect(
      try await failure {
        try await client.deferSubscription(token: "t", by: .seconds(1), etag: "")
      } == .invalidCall(.empty(.etag)))
    #expect(
      try await failure {
        try await client.deferSubscription(token: "t", by: .zero, etag: "e")
      } == .invalidCall(.notAccepted(.deferDuration)))
    #expect(
      try await failure {
        try await client.revokeSubscription(token: "t", .itemBasedRefund(productID: ""))
      } == .invalidCall(.empty(.productID)))
    #expect(
      try await failure {
        try await client.acknowledgeSubscription(
          "pro", token: "t",
          accounts: ExternalAccountIDs(obfuscatedAccountID: String(repeating: "a", count: 65)))
      } == .invalidCall(.tooLong(.obfuscatedAccountID, limit: 64)))
    #expect(scene.play.requests.isEmpty)
  }

  @Test(
    "a request that Google refuses when it comes twice is not sent again where Google may have acted",
    arguments: [
      ScriptedAnswer.fails(.interrupted), .error(503, "backendError", "UNAVAILABLE"),
    ])
  func unknownOutcomes(answer: ScriptedAnswer) async throws {
    let scene = try await PlayScene([answer])
    let client = scene.client
    let failures = [
      try await failure { try await client.refundOrder("GPA.1", access: .revoked) },
      try await failure { try await client.revokeSubscription(token: "t", .fullRefund) },
      try await failure {
        try await client.deferSubscription(token: "t", by: .seconds(1), etag: "e")
      },
    ]
    #expect(failures.allSatisfy { $0.mayHaveActed && $0.isIncidental })
    #expect(scene.play.requests.count == 3)
  }

  @Test("a request that was not sent is sent again, also a refund")
  func unsent() async throws {
    let scene = try await PlayScene([.fails(.notConnected), .status(204)])
    async let refund: Void = scene.client.refundOrder("GPA.1", access: .revoked)
    await scene.pass([.milliseconds(500)])
    try await refund
    #expect(scene.play.requests.count == 2)
  }

  @Test("an order's number is on the item, or beside the only item of an older answer")
  func orderNumbers() throws {
    func numbers(_ text: String) throws -> [String?] {
      let purchase = try SubscriptionPurchaseV2(json: json(text))
      return purchase.lineItems.map(purchase.orderID(of:))
    }
    #expect(
      try numbers(#"{"lineItems":[{"productId":"a","latestSuccessfulOrderId":"GPA.1"}]}"#)
        == ["GPA.1"])
    #expect(
      try numbers(#"{"latestOrderId":"GPA.2","lineItems":[{"productId":"a"}]}"#) == ["GPA.2"])
    #expect(
      try numbers(
        #"{"latestOrderId":"GPA.3","lineItems":[{"productId":"a"},"#
          + #"{"productId":"b","latestSuccessfulOrderId":"GPA.3"}]}"#) == [nil, "GPA.3"])
  }

  /// Source: Protocol Buffers, "ProtoJSON format", Duration.
  @Test("a duration is read with up to nine decimals, and in no other form")
  func durations() throws {
    func duration(_ text: String) throws -> Duration? {
      try DeferSubscriptionPurchaseRequest(
        json: json(#"{"deferralContext":{"deferDuration":"\#(text)","etag":"e"}}"#)
      ).deferralContext.deferDuration
    }
    #expect(try duration("3s") == .seconds(3))
    #expect(try duration("3.000000001s") == .seconds(3) + .nanoseconds(1))
    #expect(try duration("-0.5s") == .milliseconds(-500))
    for text in ["3", "s", ".5s", "3.s", "3.0000000001s", "--1s", "1e3s", " 1s", "1 s"] {
      #expect(throws: FieldTypeFailure.self, "\(text)") { try duration(text) }
    }
  }
}
