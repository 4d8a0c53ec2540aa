import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperLocks
import StorekeeperTesting
import Testing

@Suite("Memberships and entitlements that rest on Google's purchases", .onEveryStore)
struct PlayMembershipTests {
  private static let month: TimeInterval = 30 * 86_400

  @Test("an order records the facts in the tables of all purchases, once")
  func order() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    try await host.order(bought, for: "alice")
    let stored = try await host.stored(bought)
    #expect(stored.map(\.transactionID) == ["google:\(bought.orderID):pro_monthly"])
    #expect(stored.first?.signedDate == host.play.now)
    #expect(stored.first?.environment == .production)
    host.play.clock.advance(by: .seconds(60))
    _ = try await host.services.orders.subscriptionForProfile(of: "alice")
    // Nothing that did not change is written.
    #expect(try await host.stored(bought) == stored)
    _ = try host.play.cancel(bought)
    _ = try await host.services.orders.subscriptionForProfile(of: "alice")
    let subscription = try await host.services.subscriptions.subscription(host.id(of: bought))
    #expect(!subscription.autoRenewal)
    #expect(subscription.vendor == .google)
  }

  @Test("an order that is refused is no order, but its facts are facts")
  func refusedOrder() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    let token = bought.purchaseToken
    _ = try await host.services.orders.order(
      SubscriptionOrder(userID: "alice", vendor: .google, receiptData: token))
    host.play.clock.advance(by: .seconds(Self.month))
    let renewed = try host.play.renew(bought)
    await #expect(throws: OrderFailure.refused(.alreadyUsed)) {
      try await host.services.orders.order(
        SubscriptionOrder(userID: "bob", vendor: .google, receiptData: token))
    }
    #expect(try await host.stored(renewed).count == 2)
  }

  @Test("an order whose answer is older than a push is asked about again")
  func overtaken() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    let slow = SlowVendor(vendorBehind: GoogleVendor(host.scene.client)) {
      host.play.clock.advance(by: .seconds(1))
      _ = try host.play.revoke(bought)
      try await host.push()
      host.play.clock.advance(by: .seconds(1))
    }
    let service = try OrderService(
      PurchaseContext(
        store: host.services.orders.store, accounts: UnlistedAccounts(), now: { host.play.now }),
      vendors: [slow])
    await #expect(throws: OrderFailure.refused(.expired)) {
      try await service.order(
        SubscriptionOrder(userID: "alice", vendor: .google, receiptData: bought.purchaseToken))
    }
    #expect(slow.questions.withLock { $0 } == 2)
    #expect(try await service.subscriptionForProfile(of: "alice") == nil)
  }

  @Test("a membership begins, is extended, and ends with a subscription of Google")
  func membership() async throws {
    let host = try await PlayHost()
    let subscriptions = host.services.subscriptions
    let bought = try host.sell("basic_monthly")
    let linked = try await subscriptions.link("alice", to: host.facts(of: bought))
    #expect(linked.payMethod == .google)
    #expect(linked.originalTransactionID == host.id(of: bought))
    #expect(linked.tier == .standard)
    #expect(linked.isIAP)
    let end = linked.expireDate
    await #expect(throws: SubscriptionFailure.self) {
      _ = try await subscriptions.link("bob", to: host.facts(of: bought))
    }

    host.play.clock.advance(by: .seconds(Self.month))
    _ = try host.play.renew(bought)
    try await host.push()
    let renewed = try #require(try await subscriptions.membership(of: "alice"))
    #expect(try #require(renewed.expireDate) > (try #require(end)))
    #expect(renewed.grantsAccess(at: host.play.now))

    host.play.clock.advance(by: .seconds(2 * 86_400))
    _ = try host.play.revoke(bought)
    try await host.push()
    let ended = try #require(try await subscriptions.membership(of: "alice"))
    #expect(!ended.grantsAccess(at: host.play.now))
  }

  @Test("after an upgrade the membership rests on the new purchase, and the old one is over")
  func upgrade() async throws {
    let host = try await PlayHost()
    let subscriptions = host.services.subscriptions
    let bought = try host.sell("basic_monthly")
    _ = try await subscriptions.link("alice", to: host.facts(of: bought))
    host.play.clock.advance(by: .seconds(86_400))
    let upgraded = try host.play.changePlan(of: bought, to: "pro_monthly")
    try await host.push()
    let membership = try #require(try await subscriptions.membership(of: "alice"))
    #expect(membership.originalTransactionID == host.id(of: upgraded))
    #expect(membership.tier == .premium)
    #expect(membership.grantsAccess(at: host.play.now))
    let old = try await subscriptions.subscription(host.id(of: bought))
    #expect(old.expiresDate <= host.play.now)
    #expect(!old.autoRenewal)
  }

  @Test(
    "after several upgrades that were heard late, all rests on the last purchase",
    arguments: [[0, 1], [1, 0], [1], [0, 1, 0, 1]])
  func lateUpgrades(heard: [Int]) async throws {
    let host = try await PlayHost()
    let subscriptions = host.services.subscriptions
    let first = try host.sell("basic_monthly")
    _ = try await subscriptions.link("alice", to: host.facts(of: first))
    try await host.validate(first, for: "alice")
    host.play.clock.advance(by: .seconds(86_400))
    let second = try host.play.acknowledge(host.play.changePlan(of: first, to: "pro_monthly"))
    host.play.clock.advance(by: .seconds(86_400))
    let third = try host.play.changePlan(of: second, to: "basic_monthly")
    for index in heard {
      try await host.services.orders.purchaseChanged(
        [second, third][index].purchaseToken, at: .google)
    }
    let membership = try #require(try await subscriptions.membership(of: "alice"))
    #expect(membership.originalTransactionID == host.id(of: third))
    #expect(membership.tier == .standard)
    #expect(try await host.subscribed("alice") == "basic_monthly")
    #expect(try await subscriptions.subscription(host.id(of: third)).owner == "alice")
    await #expect(throws: EntitlementFailure.linkedToOtherUser) {
      try await host.validate(third, for: "bob")
    }
    await #expect(throws: SubscriptionFailure.self) {
      _ = try await subscriptions.link("bob", to: host.facts(of: third))
    }
    // A replaced purchase ends when the next one begins.
    #expect(try await host.stored(first).map(\.cancellationDate) == [OrderScene.start + 86_400])
  }

  @Test("an answer that is older than a charge takes nothing from it")
  func olderAnswer() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    _ = try await host.services.subscriptions.link("alice", to: host.facts(of: bought))
    host.play.clock.advance(by: .seconds(Self.month))
    _ = try host.play.failRenewal(bought)
    // On its way while the customer pays, and Google tells of that.
    let late = try await host.facts(of: bought)
    host.play.clock.advance(by: .seconds(20))
    _ = try host.play.recover(bought)
    try await host.push()
    try await host.services.subscriptions.record(late)
    let subscription = try await host.services.subscriptions.subscription(host.id(of: bought))
    #expect(subscription.expiresDate > host.play.now + Self.month - 60)
    try await host.order(bought, for: "alice")
  }

  @Test("a renewal that Google tells ends the failure of a question, so that nobody is suspended")
  func failureEnds() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    try await host.validate(bought, for: "alice")
    host.play.clock.advance(by: .seconds(29 * 86_400))
    host.play.fail(next: nil, with: .backendError, at: .subscription)
    let answer = try await host.services.entitlements.restore("alice", in: PlayHost.bundleID)
    #expect(answer.failed == [host.id(of: bought)])
    host.play.stopFailing()
    host.play.clock.advance(by: .seconds(86_400))
    _ = try host.play.renew(bought)
    try await host.push()
    host.play.clock.advance(by: .seconds(20 * 86_400))
    #expect(try await host.subscribed("alice") == "pro_monthly")
  }

  /// A way by which the state of a purchase reaches memberships alone.
  enum Proof: CaseIterable {
    case record, refresh, link
  }

  @Test("a proof that memberships record ends the failure of a question", arguments: Proof.allCases)
  func membershipsEndFailures(proof: Proof) async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    try await host.validate(bought, for: "alice")
    try await host.services.subscriptions.record(host.facts(of: bought))
    host.play.fail(next: nil, with: .backendError, at: .subscription)
    _ = try await host.services.entitlements.restore("alice", in: PlayHost.bundleID)
    host.play.stopFailing()
    func isStale() async throws -> Bool {
      try await host.services.entitlements.products(of: "alice", in: PlayHost.bundleID).isStale
    }
    #expect(try await isStale())
    let subscriptions = host.services.subscriptions
    switch proof {
    case .record: try await subscriptions.record(host.facts(of: bought))
    case .refresh: _ = try await subscriptions.refresh(host.id(of: bought))
    case .link: _ = try await subscriptions.link("alice", to: host.facts(of: bought))
    }
    #expect(try await !isStale())
    host.play.clock.advance(by: .seconds(29 * 86_400))
    #expect(try await host.subscribed("alice") == "pro_monthly")
  }

  @Test(
    "a membership follows a chain over a product that is not mapped", arguments: [[1, 0], [0, 1]])
  func unmappedBetween(order: [Int]) async throws {
    let host = try await PlayHost()
    let first = try host.sell("basic_monthly")
    _ = try await host.services.subscriptions.link("alice", to: host.facts(of: first))
    let between = try host.play.acknowledge(host.play.changePlan(of: first, to: "trial_monthly"))
    let last = try host.play.acknowledge(host.play.changePlan(of: between, to: "pro_monthly"))
    for index in order {
      try await host.services.orders.purchaseChanged(
        [between, last][index].purchaseToken, at: .google)
    }
    let membership = try #require(
      try await host.services.subscriptions.membership(of: "alice"))
    #expect(membership.originalTransactionID == host.id(of: last))
    #expect(membership.tier == .premium)
  }

  @Test("who owns the first purchase of a chain owns the last, also past one that nobody claimed")
  func ownedPastUnclaimed() async throws {
    let host = try await PlayHost()
    let first = try host.sell("basic_monthly")
    try await host.validate(first, for: "alice")
    let between = try host.play.acknowledge(host.play.changePlan(of: first, to: "pro_monthly"))
    _ = try await host.services.subscriptions.link("alice", to: host.facts(of: between))
    let last = try host.play.acknowledge(host.play.changePlan(of: between, to: "basic_monthly"))
    await #expect(throws: EntitlementFailure.linkedToOtherUser) {
      try await host.validate(last, for: "bob")
    }
    try await host.validate(last, for: "alice")
    #expect(try await host.subscribed("alice") == "basic_monthly")
  }

  @Test("the mark of an earlier purchase counts for links and uploads as for orders")
  func inheritedMark() async throws {
    let host = try await PlayHost()
    let first = try host.sell(
      "basic_monthly", PlayTerms(obfuscatedAccountID: PlayAccounts.mark + "alice"))
    let last = try host.play.acknowledge(
      host.play.changePlan(of: first, to: "pro_monthly", PlayTerms()))
    await #expect(throws: EntitlementFailure.accountTokenMismatch) {
      try await host.validate(last, for: "bob")
    }
    await #expect(throws: SubscriptionFailure.self) {
      _ = try await host.services.subscriptions.link("bob", to: host.facts(of: last))
    }
    try await host.validate(last, for: "alice")
    #expect(try await host.subscribed("alice") == "pro_monthly")
  }

  @Test("of a chain the nearest purchase that somebody owns decides whose the last one is")
  func nearestOwner() async throws {
    let host = try await PlayHost()
    let subscriptions = host.services.subscriptions
    let first = try host.sell("basic_monthly")
    _ = try await subscriptions.link("alice", to: host.facts(of: first))
    let second = try host.play.acknowledge(host.play.changePlan(of: first, to: "pro_monthly"))
    try await host.services.orders.purchaseChanged(second.purchaseToken, at: .google)
    // Support gives it to bob.
    try await subscriptions.unlink("alice", from: host.id(of: second))
    _ = try await subscriptions.link("bob", to: host.id(of: second))
    let last = try host.play.acknowledge(host.play.changePlan(of: second, to: "basic_monthly"))
    try await host.services.orders.purchaseChanged(last.purchaseToken, at: .google)
    #expect(try await subscriptions.subscription(host.id(of: last)).owner == "bob")
    #expect(
      try await subscriptions.membership(of: "bob")?.originalTransactionID == host.id(of: last))
    #expect(try await subscriptions.membership(of: "alice") == nil)
  }

  @Test(
    "a period that was taken back after a failed payment gives nothing beside the one that was paid"
  )
  func shorterPeriod() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    try await host.order(bought, for: "alice")
    _ = try await host.services.subscriptions.link("alice", to: host.facts(of: bought))
    try await host.validate(bought, for: "alice")
    _ = try host.play.renew(bought)
    try await host.push()
    // Nobody hears of the hold before it is over.
    _ = try host.play.failRenewal(bought, gracePeriod: nil)
    host.play.clock.advance(by: .seconds(86_400))
    let end = try #require(try host.play.recover(bought).expiry)
    try await host.push()
    let id = host.id(of: bought)
    let ordered = try await host.services.orders.subscriptionForProfile(of: "alice")
    #expect(ordered?.expiration == end)
    #expect(try await host.services.subscriptions.subscription(id).expiresDate == end)
    let answer = try await host.services.entitlements.products(of: "alice", in: PlayHost.bundleID)
    #expect(answer.subscription?.subscription.expiresDate == end)
  }

  @Test("what a token unlocks follows renewals, upgrades and refunds")
  func entitlements() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("basic_monthly")
    try await host.validate(bought, for: "alice")
    #expect(try await host.subscribed("alice") == "basic_monthly")
    await #expect(throws: EntitlementFailure.linkedToOtherUser) {
      try await host.validate(bought, for: "bob")
    }

    let upgraded = try host.play.acknowledge(host.play.changePlan(of: bought, to: "pro_monthly"))
    try await host.push()
    #expect(try await host.subscribed("alice") == "pro_monthly")

    host.play.clock.advance(by: .seconds(Self.month))
    _ = try host.play.renew(upgraded)
    let restored = try await host.services.entitlements.restore("alice", in: PlayHost.bundleID)
    #expect(restored.failed.isEmpty)
    #expect(try await host.subscribed("alice") == "pro_monthly")

    host.play.clock.advance(by: .seconds(86_400))
    _ = try host.play.revoke(upgraded)
    try await host.push()
    // The charge before ended a day ago, which the days of grace would cover.
    #expect(try await host.subscribed("alice") == nil)
  }

  @Test("a one-time product is purchased until Google takes it back")
  func oneTimeProduct() async throws {
    let host = try await PlayHost()
    let bought = try host.play.acknowledge(host.play.buy("gold_theme"))
    let facts = try await host.services.source.facts(ofProduct: bought.purchaseToken)
    let purchase = try #require(facts.purchases.first)
    #expect(purchase.transactionID == "google:\(bought.orderID):gold_theme")
    #expect(purchase.purchaseDate == OrderScene.start)
    #expect(purchase.expiresDate == nil)
    #expect(!purchase.isCancelled)
    try await host.validate(bought, for: "alice")
    #expect(try await host.purchased("alice") == ["gold_theme"])
    host.play.clock.advance(by: .seconds(60))
    _ = try host.play.revoke(bought)
    try await host.push()
    #expect(try await host.purchased("alice") == [])
  }

  @Test("a mark of another account at Google refuses an upload and a link")
  func mark() async throws {
    let host = try await PlayHost()
    let bought = try host.sell(
      "pro_monthly", PlayTerms(obfuscatedAccountID: PlayAccounts.mark + "alice"))
    await #expect(throws: EntitlementFailure.accountTokenMismatch) {
      try await host.validate(bought, for: "bob")
    }
    await #expect(throws: SubscriptionFailure.refused(.accountTokenMismatch)) {
      _ = try await host.services.subscriptions.link("bob", to: host.facts(of: bought))
    }
    try await host.validate(bought, for: "alice")
    #expect(try await host.subscribed("alice") == "pro_monthly")
    let linked = try await host.services.subscriptions.link("alice", to: host.facts(of: bought))
    #expect(linked.originalTransactionID == host.id(of: bought))
  }

  @Test("an upgrade moves the membership, however strict the host is about switches")
  func strictUpgrade() async throws {
    var options = LinkOptions()
    options.replacement = .expiredOnly
    options.isSwitchStrict = true
    let host = try await PlayHost(options: options)
    let bought = try host.sell("basic_monthly")
    _ = try await host.services.subscriptions.link("alice", to: host.facts(of: bought))
    host.play.clock.advance(by: .seconds(86_400))
    let upgraded = try host.play.changePlan(of: bought, to: "pro_monthly")
    try await host.push()
    let membership = try #require(
      try await host.services.subscriptions.membership(of: "alice"))
    #expect(membership.originalTransactionID == host.id(of: upgraded))
  }

  @Test("a purchase that Google has forgotten is over")
  func forgotten() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    let theme = try host.play.acknowledge(host.play.buy("gold_theme"))
    try await host.validate(bought, theme, for: "alice")
    host.play.clock.advance(by: .seconds(86_400))
    try host.play.forget(bought)
    try host.play.forget(theme)
    try await host.services.entitlements.restore("alice", in: PlayHost.bundleID)
    #expect(try await host.subscribed("alice") == nil)
    #expect(try await host.purchased("alice") == [])
  }

  @Test("an order of a purchase that Google has forgotten ends its membership too")
  func forgottenOrder() async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    _ = try await host.services.subscriptions.link("alice", to: host.facts(of: bought))
    try await host.order(bought, for: "alice")
    host.play.clock.advance(by: .seconds(86_400))
    try host.play.forget(bought)
    #expect(try await host.services.orders.subscriptionForProfile(of: "alice") == nil)
    let subscription = try await host.services.subscriptions.subscription(host.id(of: bought))
    #expect(subscription.expiresDate <= host.play.now)
  }

  @Test("a push about a product is worked on again if Google could not tell about the product")
  func productOutage() async throws {
    let host = try await PlayHost()
    let bought = try host.play.acknowledge(host.play.buy("gold_theme"))
    try await host.validate(bought, for: "alice")
    host.play.clock.advance(by: .seconds(60))
    _ = try host.play.revoke(bought)
    host.play.fail(next: nil, with: .backendError, at: .product)
    await #expect(throws: PlayHost.PushesRefused.self) { try await host.push() }
    #expect(try await host.purchased("alice") == ["gold_theme"])
    host.play.stopFailing()
    host.play.clock.advance(by: .seconds(3600))
    try await host.push()
    #expect(try await host.purchased("alice") == [])
  }

  @Test(
    "a token that Google does not know is refused, and an outage takes nothing",
    arguments: [
      (
        PlayStoreSimulator.Fault.error(.notFound, reason: "notFound"),
        EntitlementFailure.purchaseTokenInvalid
      ),
      (.error(HTTPStatusCode(410), reason: "purchaseTokenNoLongerValid"), .purchaseTokenInvalid),
      (.backendError, .appStoreUnavailable),
    ])
  func refusedToken(fault: PlayStoreSimulator.Fault, failure: EntitlementFailure) async throws {
    let host = try await PlayHost()
    let bought = try host.sell("pro_monthly")
    host.play.fail(next: nil, with: fault, at: .subscription)
    await #expect(throws: failure) {
      try await host.validate(bought, for: "alice")
    }
    #expect(try await host.stored(bought).isEmpty)
  }
}

/// A vendor whose first answer is on its way while something happens.
private final class SlowVendor: PurchaseVendor {
  let vendorBehind: any PurchaseVendor
  let event: @Sendable () async throws -> Void
  let questions = Locked(0)

  init(
    vendorBehind: any PurchaseVendor, event: @escaping @Sendable () async throws -> Void
  ) {
    self.vendorBehind = vendorBehind
    self.event = event
  }

  var vendor: Vendor { vendorBehind.vendor }

  func check(
    _ receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorAnswer {
    await report(on: receiptData, for: purpose, at: now).answer
  }

  func report(
    on receiptData: String, for purpose: VendorCheckPurpose, at now: Date
  ) async -> VendorReport {
    let report = await vendorBehind.report(on: receiptData, for: purpose, at: now)
    let count = questions.withLock {
      $0 += 1
      return $0
    }
    if count == 1 {
      await #expect(throws: Never.self) { try await event() }
    }
    return report
  }
}
