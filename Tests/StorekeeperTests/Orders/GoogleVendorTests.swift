import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

@Suite("Google's word about a purchase token (entitlement rules, section 13)")
struct GoogleVendorTests {
  private static func explicit(
    _ reason: ExplicitFailure.Reason, _ key: PurchaseKey
  ) -> VendorAnswer {
    .explicitFailure(ExplicitFailure(reason, purchaseKey: key))
  }

  @Test("the key of a purchase is the SHA-256 of its token")
  func key() async throws {
    let vendor = GoogleVendor(try await PlayScene().client)
    // FIPS 180-4, the example with one block.
    #expect(
      vendor.purchaseKey(of: "abc")
        == .google("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
  }

  @Test("a running subscription is valid until its expiry, and waits for its acknowledgement")
  func active() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.subscribe("pro_monthly", PlayTerms(obfuscatedAccountID: "u-1"))
    let end = OrderScene.start + 30 * 86_400
    var expected = VendorPurchase(
      productID: "pro_monthly", planID: "monthly", expiration: end,
      purchaseKey: scene.key(of: bought), accountMark: "u-1", needsAcknowledgement: true)
    #expect(await scene.word(about: bought) == .valid(expected))
    _ = try scene.play.acknowledge(bought)
    expected.needsAcknowledgement = false
    #expect(await scene.word(about: bought, for: .revalidation) == .valid(expected))
  }

  @Test("B11: a cancelled subscription is valid until its end, one on hold is expired")
  func states() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    let expired = Self.explicit(.expired, scene.key(of: bought))
    _ = try scene.play.cancel(bought)
    guard case .valid = await scene.word(about: bought) else {
      Issue.record("cancelled, but still running")
      return
    }
    scene.play.clock.advance(by: .seconds(30 * 86_400))
    #expect(await scene.word(about: bought) == expired)

    let other = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    scene.play.clock.advance(by: .seconds(30 * 86_400))
    _ = try scene.play.failRenewal(other, gracePeriod: .seconds(86_400))
    guard case .valid = await scene.word(about: other) else {
      Issue.record("in the grace period")
      return
    }
    scene.play.clock.advance(by: .seconds(86_400))
    #expect(
      await scene.word(about: other, for: .revalidation)
        == Self.explicit(.expired, scene.key(of: other)))
  }

  @Test("a pending payment is refused on an order, and says nothing later")
  func pending() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.subscribe("pro_monthly", PlayTerms(payment: .pending))
    let key = scene.key(of: bought)
    #expect(await scene.word(about: bought) == Self.explicit(.paymentPending, key))
    #expect(
      await scene.word(about: bought, for: .revalidation)
        == .incidentalFailure(IncidentalFailure(.paymentPending)))
    _ = try scene.play.cancelPayment(of: bought)
    for purpose in [VendorCheckPurpose.order, .revalidation] {
      #expect(await scene.word(about: bought, for: purpose) == Self.explicit(.invalid, key))
    }
  }

  @Test("an unknown token is invalid on an order; later a wrong package name is more likely")
  func unknown() async throws {
    let scene = try await PlayScene()
    let vendor = GoogleVendor(scene.client)
    for token in ["unknown", "a b/c?d", "\u{E9}"] {
      #expect(
        await vendor.check(token, for: .order, at: scene.play.now)
          == .explicitFailure(ExplicitFailure(.invalid)))
      #expect(
        await vendor.check(token, for: .revalidation, at: scene.play.now)
          == .incidentalFailure(IncidentalFailure(.doubtful, needsAttention: true)))
    }
  }

  @Test("a purchase that Google has forgotten is expired")
  func gone() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.acknowledge(scene.play.subscribe("pro_monthly"))
    try scene.play.forget(bought)
    for purpose in [VendorCheckPurpose.order, .revalidation] {
      #expect(
        await scene.word(about: bought, for: purpose)
          == Self.explicit(.expired, scene.key(of: bought)))
    }
  }

  private static let faults: [(PlayStoreSimulator.Fault, IncidentalFailure)] = [
    (.authError, IncidentalFailure(.refused, needsAttention: true)),
    (.permissionDenied, IncidentalFailure(.refused, needsAttention: true)),
    (.projectNotLinked, IncidentalFailure(.refused, needsAttention: true)),
    (.accessNotConfigured, IncidentalFailure(.refused, needsAttention: true)),
    (.tooManyRequests(retryAfter: "7"), IncidentalFailure(.busy, retryAfter: .seconds(7))),
    (.tooManyRequests(retryAfter: "40"), IncidentalFailure(.busy, retryAfter: .seconds(40))),
    (.quotaExceeded, IncidentalFailure(.busy)),
    (.backendError, IncidentalFailure(.busy)),
    (.transportFailure(.notConnected), IncidentalFailure(.unreachable)),
    (.brokenJSON, IncidentalFailure(.unreadable)),
    (.answer(.ok, .html), IncidentalFailure(.unreadable)),
    (
      .answer(
        .ok,
        .text(
          #"{"subscriptionState":"SUBSCRIPTION_STATE_NEW","lineItems":[{"productId":"pro_monthly","expiryTime":"2099-01-01T00:00:00Z"}]}"#
        )),
      IncidentalFailure(.unreadable)
    ),
  ]

  @Test("what is no answer about the purchase is incidental, for both purposes", arguments: faults)
  func incidental(
    _ row: (fault: PlayStoreSimulator.Fault, failure: IncidentalFailure)
  ) async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.subscribe("pro_monthly")
    scene.play.fail(next: nil, with: row.fault, at: .subscription)
    for purpose in [VendorCheckPurpose.order, .revalidation] {
      #expect(
        await scene.word(about: bought, for: purpose) == .incidentalFailure(row.failure))
    }
  }

  @Test(
    "the pause that Google asks for is passed on as it was given, without what was waited already",
    arguments: ["3", "17", "40"])
  func retryAfter(text: String) async throws {
    let scene = try await PlayScene()
    let play = scene.play
    // A moment that no binary number holds.
    play.clock.advance(by: .microseconds(123_457))
    let bought = try play.subscribe("pro_monthly")
    var headers = HTTPHeaders()
    try headers.append(text, for: .retryAfter)
    let busy = ChangedAnswers(base: play) { [headers] _, response in
      play.clock.advance(by: .milliseconds(17_003))
      response = HTTPResponseMessage(status: .tooManyRequests, headers: headers)
    }
    let vendor = GoogleVendor(try PlayScene.client(of: play, busy))
    guard
      case .incidentalFailure(let failure) = await vendor.check(
        bought.purchaseToken, for: .order, at: play.now)
    else {
      Issue.record("not incidental")
      return
    }
    #expect(failure.retryAfter == Int(text).map { .seconds($0) })
  }

  @Test("B12: after 401 the access token is dropped and fetched once more, then it is incidental")
  func unauthorized() async throws {
    let scene = try await PlayScene()
    let bought = try scene.play.subscribe("pro_monthly")
    scene.play.fail(next: 1, with: .authError, at: .subscription)
    guard case .valid = await scene.word(about: bought) else {
      Issue.record("not asked again")
      return
    }
    #expect(scene.play.requests.count { $0.endpoint == .token } == 2)
    scene.play.fail(next: nil, with: .authError, at: .subscription)
    #expect(
      await scene.word(about: bought)
        == .incidentalFailure(IncidentalFailure(.refused, needsAttention: true)))
    #expect(scene.play.requests.count { $0.endpoint == .token } == 3)
  }

  @Test("purchases of license testers are of the Sandbox, and invalid where that does not count")
  func testers() async throws {
    let strict = try await PlayScene(environments: [.production])
    let bought = try strict.play.subscribe("pro_monthly", PlayTerms(buyer: .licenseTester))
    guard case .valid(let purchase) = await strict.word(about: bought) else {
      Issue.record("not valid")
      return
    }
    #expect(purchase.environment == .sandbox)
    let order = SubscriptionOrder(
      userID: "u-1", vendor: .google, receiptData: bought.purchaseToken)
    await #expect(throws: OrderFailure.refused(.invalid)) { try await strict.service.order(order) }
    #expect(try await strict.orders.row() == nil)
    let open = try await PlayScene()
    let shown = try await open.service.order(
      SubscriptionOrder(
        userID: "u-1", vendor: .google,
        receiptData: try open.play.subscribe("pro_monthly", PlayTerms(buyer: .licenseTester))
          .purchaseToken))
    #expect(shown.environment == .sandbox)
  }
}
