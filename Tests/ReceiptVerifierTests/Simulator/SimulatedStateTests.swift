import Foundation
import ReceiptModels
import ReceiptVerifier
import StoreSimulators
import Testing

/// The states of subscriptions, each reached by calls.
///
/// Source: `Documentation/rules/app-store-rules.md`, section 8.
@Suite("States of subscriptions at the simulated App Store")
struct SimulatedStateTests {
  private let scene: SimulatorScene
  private var appStore: AppStoreSimulator { scene.appStore }

  init() throws {
    scene = try SimulatorScene()
  }

  @Test("bought, active and to be renewed")
  func active() async throws {
    let purchase = try appStore.buy("reader.monthly")
    let end = scene.date(inDays: 30)
    scene.pass(29)
    let summary = try #require(try await scene.summary(purchase))
    #expect(summary.state == .active(until: end))
    #expect(summary.willRenew == true)
    #expect(summary.pendingProductID == nil)
    #expect(summary.knowledge == .remote)
    #expect(summary.subscriptionGroupID == "20000001")
    #expect(summary.environment == .production)
  }

  @Test("renewed, active again under the same original id")
  func renewed() async throws {
    let purchase = try appStore.buy("reader.monthly")
    let end = scene.date(inDays: 60)
    scene.pass(31)
    let renewal = try appStore.renew(purchase)
    #expect(renewal.originalTransactionID == purchase.originalTransactionID)
    #expect(renewal.transactionID != purchase.transactionID)
    #expect(try await scene.state(purchase) == .active(until: end))
    #expect(try await scene.receipt(purchase).response.latestReceiptInfo?.count == 2)
  }

  @Test("renewal switched off and on again")
  func autoRenew() async throws {
    let purchase = try appStore.buy("reader.monthly")
    try appStore.setAutoRenew(.off, of: purchase)
    #expect(try await scene.summary(purchase)?.willRenew == false)
    #expect(try await scene.summary(purchase)?.isEntitled == true)
    try appStore.setAutoRenew(.on, of: purchase)
    #expect(try await scene.summary(purchase)?.willRenew == true)
  }

  @Test("a downgrade is pending until renewal")
  func downgrade() async throws {
    let purchase = try appStore.buy("reader.premium")
    try appStore.downgrade(purchase, to: "reader.monthly")
    let pending = try #require(try await scene.summary(purchase))
    #expect(pending.productID == "reader.premium")
    #expect(pending.pendingProductID == "reader.monthly")
    #expect(pending.isEntitled)
    scene.pass(366)
    try appStore.renew(purchase)
    let renewed = try #require(try await scene.summary(purchase))
    #expect(renewed.productID == "reader.monthly")
    #expect(renewed.pendingProductID == nil)
  }

  @Test("a downgrade can be undone")
  func downgradeUndone() async throws {
    let purchase = try appStore.buy("reader.premium")
    try appStore.downgrade(purchase, to: "reader.monthly")
    try appStore.downgrade(purchase, to: "reader.premium")
    #expect(try await scene.summary(purchase)?.pendingProductID == nil)
  }

  @Test("consent to a price is pending, then given")
  func priceConsent() async throws {
    let purchase = try appStore.buy("reader.monthly")
    try appStore.askForPriceConsent(purchase)
    #expect(try await scene.summary(purchase)?.isPriceConsentPending == true)
    #expect(try await scene.summary(purchase)?.isEntitled == true)
    try appStore.consentToPrice(purchase)
    #expect(try await scene.summary(purchase)?.isPriceConsentPending == false)
  }

  @Test("an upgrade replaces the product at once")
  func upgrade() async throws {
    let purchase = try appStore.buy("reader.monthly")
    scene.pass(10)
    try appStore.upgrade(purchase, to: "reader.premium")
    let summary = try #require(try await scene.summary(purchase))
    #expect(summary.productID == "reader.premium")
    #expect(summary.state == .active(until: scene.date(inDays: 365)))
    let receipt = try await scene.receipt(purchase)
    #expect(receipt.response.latestReceiptInfo?.count { $0.isUpgraded == true } == 1)
  }

  @Test("refunded while running", arguments: [RevocationReason.other, .issueInApp])
  func refund(reason: RevocationReason) async throws {
    let purchase = try appStore.buy("reader.monthly")
    try appStore.refund(purchase, reason: reason)
    let summary = try #require(try await scene.summary(purchase))
    #expect(summary.state == .revoked(.refund(reason)))
    #expect(summary.hasRefundedHistory)
  }

  @Test("a refunded older period does not end a newer paid one")
  func refundOfOlder() async throws {
    let purchase = try appStore.buy("reader.monthly")
    scene.pass(30)
    try appStore.renew(purchase)
    try appStore.refund(purchase)
    #expect(try await scene.state(purchase) == .active(until: scene.date(inDays: 30)))
  }

  @Test("a family member loses a shared purchase")
  func revoke() async throws {
    let purchase = try appStore.buy("reader.yearly")
    let shared = try appStore.share(purchase, with: "member")
    #expect(shared.originalTransactionID != purchase.originalTransactionID)
    let summary = try #require(try await scene.summary(shared))
    #expect(summary.isEntitled && summary.isFamilyShared)
    try appStore.revoke(shared)
    #expect(try await scene.state(shared) == .revoked(.familySharing))
    #expect(try await scene.summary(purchase)?.isEntitled == true)
  }

  @Test("a failed renewal with grace, then without, then recovered")
  func billing() async throws {
    let purchase = try appStore.buy("reader.monthly")
    try appStore.failRenewal(purchase, gracePeriod: .days(16))
    #expect(try await scene.state(purchase) == .active(until: scene.date(inDays: 30)))
    scene.pass(30)
    #expect(try await scene.state(purchase) == .inGracePeriod(until: scene.date(inDays: 16)))
    scene.pass(16)
    #expect(try await scene.state(purchase) == .inBillingRetry)
    let recovered = try appStore.recover(purchase)
    #expect(recovered.originalTransactionID == purchase.originalTransactionID)
    #expect(try await scene.state(purchase) == .active(until: scene.date(inDays: 30)))
    #expect(try await scene.summary(purchase)?.willRenew == true)
  }

  @Test("a failed renewal without grace")
  func billingRetry() async throws {
    let purchase = try appStore.buy("reader.monthly")
    scene.pass(30)
    try appStore.failRenewal(purchase)
    #expect(try await scene.state(purchase) == .inBillingRetry)
  }

  @Test(
    "10 to 14: expired, with its reason",
    arguments: [
      (ExpirationIntent.customerCancelled, SubscriptionState.ExpirationReason.customerCancelled),
      (.billingError, .billingError), (.priceIncreaseNotConsented, .priceIncrease),
      (.productNotAvailable, .productUnavailable), (.other, .unknown),
    ])
  func expired(
    intent: ExpirationIntent, reason: SubscriptionState.ExpirationReason
  ) async throws {
    let purchase = try appStore.buy("reader.monthly")
    scene.pass(40)
    try appStore.expire(purchase, for: intent)
    #expect(try await scene.state(purchase) == .expired(reason))
  }

  @Test("a subscription with renewal switched off is cancelled at the end of its period")
  func cancelled() async throws {
    let purchase = try appStore.buy("reader.monthly")
    try appStore.setAutoRenew(.off, of: purchase)
    scene.pass(30)
    #expect(try await scene.state(purchase) == .expired(.customerCancelled))
  }

  @Test("a subscription without price consent expires at the end of its period")
  func noConsent() async throws {
    let purchase = try appStore.buy("reader.monthly")
    try appStore.askForPriceConsent(purchase)
    scene.pass(30)
    let summary = try #require(try await scene.summary(purchase))
    #expect(summary.state == .expired(.priceIncrease))
    #expect(summary.willRenew == false)
  }

  @Test("expired for an unknown reason")
  func forgotten() async throws {
    let purchase = try appStore.buy("reader.monthly")
    scene.pass(30)
    #expect(try await scene.state(purchase) == .expired(.unknown))
  }

  @Test("ended by a refund and over since")
  func refundedAndOver() async throws {
    let purchase = try appStore.buy("reader.monthly")
    try appStore.refund(purchase)
    scene.pass(40)
    #expect(try await scene.state(purchase) == .revoked(.refund(.other)))
  }

  @Test("without a shared secret only the receipt is known")
  func local() async throws {
    let purchase = try appStore.buy("reader.monthly")
    try appStore.setAutoRenew(.off, of: purchase)
    scene.pass(40)
    var configuration = VerifyReceiptClient.Configuration()
    configuration.missingSubscriptions = .accept
    configuration.clock = SleeplessClock()
    let client = try VerifyReceiptClient(
      transport: appStore, bundleIDs: [SimulatorScene.bundleID], configuration: configuration)
    let receipt = try await client.verify(base64: purchase.receipt)
    #expect(receipt.response.latestReceipt == nil)
    #expect(receipt.response.latestReceiptInfo == nil)
    #expect(receipt.response.pendingRenewalInfo == nil)
    let summary = try #require(receipt.subscriptions(at: receipt.requestDate).first)
    #expect(summary.state == .expired(.unknown))
    #expect(summary.knowledge == .local)
  }

  @Test("owned, then refunded, then owned again")
  func owned() async throws {
    let purchase = try appStore.buy("reader.lifetime")
    scene.pass(4000)
    #expect(try await scene.state(purchase) == .owned)
    try appStore.refund(purchase, reason: .issueInApp)
    #expect(try await scene.state(purchase) == .refunded(.refund(.issueInApp)))
    try appStore.reverseRefund(purchase)
    #expect(try await scene.state(purchase) == .owned)
  }

  @Test("a period that does not renew ends by the catalogue")
  func nonRenewing() async throws {
    let purchase = try appStore.buy("reader.course")
    let durations = ["reader.course": Duration.days(90)]
    let end = scene.date(inDays: 90)
    #expect(try await scene.summary(purchase, durations: durations)?.state == .active(until: end))
    scene.pass(90)
    #expect(try await scene.summary(purchase, durations: durations)?.isEntitled == false)
  }

  @Test("a refund that was reversed leaves no trace in the state")
  func refundReversed() async throws {
    let purchase = try appStore.buy("reader.monthly")
    try appStore.refund(purchase)
    try appStore.reverseRefund(purchase)
    #expect(try await scene.state(purchase) == .active(until: scene.date(inDays: 30)))
  }

  @Test("bought again after the end, under the same original id")
  func resubscribed() async throws {
    let purchase = try appStore.buy("reader.monthly")
    scene.pass(100)
    let again = try appStore.buy("reader.yearly")
    #expect(again.originalTransactionID == purchase.originalTransactionID)
    #expect(try await scene.state(purchase) == .active(until: scene.date(inDays: 365)))
  }

  @Test("offers show", arguments: [TestOffer.trial, .introductory, .promotional("p"), .code("c")])
  func offers(offer: TestOffer) async throws {
    if case .promotional = offer {
      // For customers who know the subscription.
      try appStore.buy("reader.monthly")
      scene.pass(100)
    }
    let purchase = try appStore.buy("reader.monthly", offer: offer)
    let summary = try #require(try await scene.summary(purchase))
    switch offer {
    case .trial: #expect(summary.isTrial && !summary.isIntro)
    case .introductory: #expect(summary.isIntro && !summary.isTrial)
    case .promotional: #expect(summary.offer == PurchaseOffer(type: .promotional, identifier: "p"))
    case .code: #expect(summary.offer == PurchaseOffer(type: .offerCode, identifier: "c"))
    case .winBack: break
    }
  }

  // MARK: Calls that make no sense

  @Test("a call that makes no sense throws and changes nothing")
  func senseless() async throws {
    let purchase = try appStore.buy("reader.monthly")
    let coffee = try appStore.buy("reader.coffee")
    let before = try await scene.receipt(purchase).rawBody
    let other = try AppStoreSimulator(bundleID: SimulatorScene.bundleID, products: [])
    let stranger = try SimulatorScene().appStore.buy("reader.lifetime", by: "stranger")
    #expect(throws: SimulatorFailure.environmentNotServed(.xcode)) {
      try AppStoreSimulator(bundleID: SimulatorScene.bundleID, environment: .xcode)
    }
    #expect(throws: SimulatorFailure.unknownProduct("reader.none")) {
      try appStore.buy("reader.none")
    }
    #expect(throws: SimulatorFailure.unknownProduct("reader.none")) {
      try appStore.upgrade(purchase, to: "reader.none")
    }
    #expect(throws: SimulatorFailure.subscriptionRunning) { try appStore.buy("reader.yearly") }
    #expect(throws: SimulatorFailure.sharedWithBuyer) {
      try appStore.share(purchase, with: "customer")
    }
    #expect(throws: SimulatorFailure.notShared) { try appStore.revoke(purchase) }
    #expect(throws: SimulatorFailure.notAConsumable) { try appStore.finish(purchase) }
    #expect(throws: SimulatorFailure.otherGroup) {
      try appStore.upgrade(purchase, to: "reader.coffee")
    }
    #expect(throws: SimulatorFailure.otherGroup) {
      try appStore.downgrade(purchase, to: "reader.coffee")
    }
    #expect(throws: SimulatorFailure.notASubscription) { try appStore.renew(coffee) }
    #expect(throws: SimulatorFailure.notASubscription) { try appStore.recover(coffee) }
    #expect(throws: SimulatorFailure.notASubscription) {
      try appStore.upgrade(coffee, to: "reader.yearly")
    }
    #expect(throws: SimulatorFailure.notASubscription) {
      try appStore.downgrade(coffee, to: "reader.yearly")
    }
    #expect(throws: SimulatorFailure.notASubscription) {
      try appStore.setAutoRenew(.off, of: coffee)
    }
    #expect(throws: SimulatorFailure.notASubscription) { try appStore.askForPriceConsent(coffee) }
    #expect(throws: SimulatorFailure.notASubscription) { try appStore.consentToPrice(coffee) }
    #expect(throws: SimulatorFailure.notASubscription) { try appStore.failRenewal(coffee) }
    #expect(throws: SimulatorFailure.notASubscription) { try appStore.expire(coffee, for: .other) }
    #expect(try await scene.receipt(purchase).rawBody == before)
    #expect(throws: SimulatorFailure.unknownPurchase) { try other.renew(purchase) }
    #expect(throws: SimulatorFailure.unknownPurchase) { try other.refund(stranger) }
    #expect(throws: SimulatorFailure.unknownPurchase) { try other.reverseRefund(stranger) }
    #expect(throws: SimulatorFailure.unknownPurchase) { try other.finish(coffee) }
  }
}
