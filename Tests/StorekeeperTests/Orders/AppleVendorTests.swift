import Foundation
import Storekeeper
import Testing

@Suite("Apple's word about a receipt (entitlement rules, section 13)")
struct AppleVendorTests {
  /// What an answer of Apple means for an order and for a revalidation.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let order: VendorAnswer
    let revalidation: VendorAnswer
    let answer: ScriptedTransport.Answer

    init(
      _ title: String, order: VendorAnswer, revalidation: VendorAnswer,
      _ answer: @escaping ScriptedTransport.Answer
    ) {
      testDescription = title
      self.order = order
      self.revalidation = revalidation
      self.answer = answer
    }

    static func status(
      _ status: Int, order: VendorAnswer, revalidation: VendorAnswer, more: String = ""
    ) -> Row {
      Row(
        "status \(status)\(more)", order: order, revalidation: revalidation,
        ScriptedTransport.body(#"{"status":\#(status)\#(more)}"#))
    }
  }

  private static func explicit(
    _ reason: ExplicitFailure.Reason, key: PurchaseKey? = nil
  ) -> VendorAnswer { .explicitFailure(ExplicitFailure(reason, purchaseKey: key)) }

  private static func incidental(
    _ reason: IncidentalFailure.Reason, alert: Bool = false
  ) -> VendorAnswer { .incidentalFailure(IncidentalFailure(reason, needsAttention: alert)) }

  private static func both(
    _ status: Int, _ answer: VendorAnswer, more: String = ""
  ) -> Row { .status(status, order: answer, revalidation: answer, more: more) }

  private static func valid(_ members: String, bundleID: String = OrderScene.bundleID) -> String {
    #"{"status":0,"receipt":{"bundle_id":"\#(bundleID)"}\#(members)}"#
  }

  static let rows: [Row] = [
    Row(
      "no connection", order: incidental(.unreachable), revalidation: incidental(.unreachable),
      ScriptedTransport.failure(.notConnected)),
    Row(
      "a timeout", order: incidental(.unreachable), revalidation: incidental(.unreachable),
      ScriptedTransport.failure(.timedOut)),
    Row(
      "HTTP 500", order: incidental(.busy), revalidation: incidental(.busy),
      ScriptedTransport.status(500)),
    Row(
      "HTTP 404", order: incidental(.refused), revalidation: incidental(.refused),
      ScriptedTransport.status(404)),
    Row(
      "a page of HTML", order: incidental(.unreadable), revalidation: incidental(.unreadable),
      ScriptedTransport.body("<html></html>")),
    both(21000, incidental(.refused, alert: true)), both(21001, incidental(.refused)),
    .status(21002, order: explicit(.invalid), revalidation: incidental(.doubtful)),
    both(21003, explicit(.invalid)), both(21004, incidental(.refused, alert: true)),
    both(21005, incidental(.busy)), both(21006, explicit(.expired)),
    both(21008, explicit(.invalid)),
    both(21009, incidental(.busy)), both(21010, explicit(.invalid)),
    both(21100, incidental(.busy)),
    both(21150, incidental(.busy), more: #","is-retryable":false"#),
    both(21199, incidental(.busy), more: #","is-retryable":true"#),
    both(21099, incidental(.unreadable)), both(30000, incidental(.unreadable)),
    Row(
      "no transactions", order: explicit(.noSubscription),
      revalidation: explicit(.noSubscription), ScriptedTransport.body(valid(""))),
    Row(
      "a purchase for ever", order: explicit(.noSubscription),
      revalidation: explicit(.noSubscription),
      ScriptedTransport.body(
        valid(
          #","latest_receipt_info":[{"product_id":"a","transaction_id":"1","original_transaction_id":"1"}]"#
        ))),
    Row(
      "another app", order: explicit(.invalid), revalidation: incidental(.otherApp, alert: true),
      ScriptedTransport.body(valid("", bundleID: "com.example.other"))),
    Row(
      "every entry ended", order: explicit(.expired, key: .apple("1000000000000001")),
      revalidation: explicit(.expired, key: .apple("1000000000000001")),
      ScriptedTransport.body(
        valid(
          #","latest_receipt_info":[\#(OrderScene.Entry(ends: 0).json),\#(OrderScene.Entry(original: "3", ends: 90, cancelled: -5).json)]"#
        ))),
    Row(
      "an entry that was upgraded, and no other",
      order: explicit(.expired, key: .apple("1000000000000001")),
      revalidation: explicit(.expired, key: .apple("1000000000000001")),
      ScriptedTransport.body(
        valid(
          #","latest_receipt_info":[\#(OrderScene.Entry(ends: 90, isUpgraded: true).json)]"#))),
    Row(
      "an entry that another product superseded before its end",
      order: explicit(.expired, key: .apple("1000000000000001")),
      revalidation: explicit(.expired, key: .apple("1000000000000001")),
      ScriptedTransport.body(
        valid(
          #","latest_receipt_info":[\#(OrderScene.Entry(ends: 900, begins: -200).json),"#
            + #"\#(OrderScene.Entry(product: "com.example.snips.basic", ends: -50, begins: -100, charge: "1000000000000002").json)]"#
        ))),
    Row(
      "a refund in the future, which is one all the same",
      order: explicit(.expired, key: .apple("1000000000000001")),
      revalidation: explicit(.expired, key: .apple("1000000000000001")),
      ScriptedTransport.body(
        valid(
          #","latest_receipt_info":[\#(OrderScene.Entry(ends: 90, cancelled: 60).json)]"#))),
    Row(
      "an end that cannot be read", order: incidental(.unreadable),
      revalidation: incidental(.unreadable),
      ScriptedTransport.body(
        valid(
          #","latest_receipt_info":[{"product_id":"a","transaction_id":"1","original_transaction_id":"1","expires_date_ms":"soon"}]"#
        ))),
  ]

  @Test("each answer of Apple has its meaning", arguments: rows)
  func answers(_ row: Row) async throws {
    let scene = try await OrderScene()
    scene.transport.replace(VerifyReceiptServer.production.url, row.answer)
    let vendor = AppleVendor(receipts: try scene.client(environments: [.production]))
    let now = scene.now
    #expect(await vendor.check(OrderScene.receipt, for: .order, at: now) == row.order)
    #expect(
      await vendor.check(OrderScene.receipt, for: .revalidation, at: now) == row.revalidation)
  }

  @Test("the older period of an upgrade that is refunded does not come back")
  func refundedUpgrade() async throws {
    let scene = try await OrderScene()
    scene.answer(
      .init(product: "com.example.snips.basic", ends: 900, begins: -200, isUpgraded: true),
      .init(ends: 800, cancelled: -5, begins: -100, charge: "1000000000000002"))
    await #expect(throws: OrderFailure.refused(.expired)) {
      try await scene.service().order(scene.order())
    }
  }

  @Test(
    "the pause that Apple asks for is passed on as it was given",
    arguments: [("17", Duration.seconds(17)), ("0", .zero), ("86400", .seconds(86_400))])
  func retryAfter(text: String, pause: Duration) async throws {
    let scene = try await OrderScene()
    var headers = HTTPHeaders()
    try headers.append(text, for: .retryAfter)
    scene.transport.replace(VerifyReceiptServer.production.url) { [headers] _ in
      HTTPResponseMessage(status: 503, headers: headers)
    }
    let vendor = AppleVendor(receipts: try scene.client(environments: [.production]))
    #expect(
      await vendor.check(OrderScene.receipt, for: .order, at: scene.now)
        == .incidentalFailure(IncidentalFailure(.busy, retryAfter: pause)))
  }

  @Test("a Sandbox receipt is invalid where the Sandbox is not allowed, and nobody else is asked")
  func environment() async throws {
    let scene = try await OrderScene()
    scene.answer(status: 21007)
    let vendor = AppleVendor(receipts: try scene.client(environments: [.production]))
    for purpose in [VendorCheckPurpose.order, .revalidation] {
      #expect(
        await vendor.check(OrderScene.receipt, for: purpose, at: scene.now)
          == Self.explicit(.invalid))
    }
    #expect(Set(scene.transport.urls) == [VerifyReceiptServer.production.url])
  }

  @Test("a subscription of the iOS 6 form that has ended is expired")
  func oldForm() async throws {
    let scene = try await OrderScene()
    scene.answer(
      """
      {"status":21006,"receipt":{"bid":"com.example.snips","original_transaction_id":"5",\
      "product_id":"com.example.snips.pro","transaction_id":"5"}}
      """)
    let vendor = AppleVendor(receipts: try scene.client(environments: [.production]))
    guard
      case .explicitFailure(let failure) = await vendor.check(
        OrderScene.receipt, for: .order, at: scene.now)
    else {
      Issue.record("not refused")
      return
    }
    #expect(failure.reason == .expired)
  }

  @Test("text that is no receipt is refused on an order without asking, and says nothing later")
  func noReceipt() async throws {
    let scene = try await OrderScene()
    let vendor = AppleVendor(receipts: try scene.client(environments: [.production]))
    #expect(
      await vendor.check("not base64!", for: .order, at: scene.now) == Self.explicit(.invalid))
    #expect(
      await vendor.check("not base64!", for: .revalidation, at: scene.now)
        == Self.incidental(.doubtful))
    // A signed transaction, which this vendor takes none of.
    let token = "eyJhIjoxfQ.b.c"
    #expect(await vendor.check(token, for: .order, at: scene.now) == Self.explicit(.invalid))
    #expect(
      await vendor.check(token, for: .revalidation, at: scene.now)
        == Self.incidental(.refused, alert: true))
    #expect(scene.transport.urls.isEmpty)
  }
}
