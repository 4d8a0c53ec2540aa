import Foundation
import SQLStorage
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

extension ServiceScene {
  /// A verifier of what the simulated App Store signs.
  func verifier() throws -> SignedDataVerifier {
    let appStore = appStore
    return try SignedDataVerifier(
      apps: [App(bundleID: Self.bundleID, appAppleID: appStore.appAppleID)],
      environments: [.production, .sandbox],
      trustAnchors: [appStore.signedDataAuthority.trustAnchor], now: { appStore.now })
  }

  func transaction(_ purchase: TestPurchase) throws -> Verified<Transaction> {
    try verifier().transaction(purchase.signedTransactionInfo)
  }

  func renewalInfo(_ purchase: TestPurchase) throws -> Verified<RenewalInfo> {
    try verifier().renewalInfo(#require(try purchase.signedRenewalInfo))
  }
}

@Suite("Signed transactions of clients", .onEveryStore)
struct SignedTransactionTests {
  @Test("a transaction makes a subscription, which is returned as it is stored")
  func record() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let recorded = try await scene.service.record(scene.transaction(purchase))
    #expect(recorded.originalTransactionID == purchase.originalTransactionID)
    #expect(recorded.tier == .standard)
    #expect(recorded.expiresDate == ServiceScene.start + 30 * 86_400)
    #expect(!recorded.autoRenewal)
    #expect(try await scene.service.subscription(purchase.originalTransactionID) == recorded)
    #expect(try await scene.service.record(scene.transaction(purchase)) == recorded)

    let renewing = try await scene.service.record(
      scene.transaction(purchase), renewalInfo: scene.renewalInfo(purchase))
    #expect(renewing.autoRenewal)
    #expect(try await scene.service.subscription(purchase.originalTransactionID) == renewing)
    // Without its renewal info it tells nothing about the renewal.
    #expect(try await scene.service.record(scene.transaction(purchase)).autoRenewal)
    #expect(scene.appStore.requests.isEmpty)
  }

  @Test("one call records and links, and may be repeated")
  func link() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let membership = try await scene.service.link(
      "alice", to: scene.transaction(purchase), renewalInfo: scene.renewalInfo(purchase))
    #expect(membership.originalTransactionID == purchase.originalTransactionID)
    let held = try #require(try await scene.service.membership(of: "alice"))
    #expect(held.grantsAccess(at: scene.now))
    #expect(held.membership == membership)
    #expect(try await scene.service.membership(of: "bob") == nil)
    #expect(try await scene.service.membership(of: "nobody") == nil)
    #expect(
      try await scene.service.link("alice", to: scene.transaction(purchase)) == membership)
    let owned = try await scene.service.subscriptions(of: "alice")
    #expect(owned.subscriptions.map(\.isInUse) == [true])
    #expect(try await scene.messages().map(\.kind) == [.link])
  }

  @Test(
    "access goes on in Apple's grace period where the host chose that",
    arguments: AccessRule.allCases)
  func grace(access: AccessRule) async throws {
    let counts = access == .gracePeriod
    var options = LinkOptions()
    options.access = access
    let scene = try await ServiceScene(options: options)
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    _ = try await scene.service.link(
      "alice", to: scene.transaction(purchase), renewalInfo: scene.renewalInfo(purchase))
    scene.appStore.clock.advance(by: .days(30))
    func mayRead() async throws -> Bool? {
      try await scene.service.membership(of: "alice")?.grantsAccess(at: scene.now)
    }
    let failed = try scene.appStore.failRenewal(purchase, gracePeriod: .days(16))
    try await scene.service.record(
      scene.transaction(purchase),
      renewalInfo: scene.verifier().renewalInfo(#require(try failed.signedRenewalInfo)))
    #expect(try await mayRead() == counts)
    scene.appStore.clock.advance(by: .days(15))
    #expect(try await mayRead() == counts)
    scene.appStore.clock.advance(by: .days(1))
    #expect(try await mayRead() == false)
  }

  @Test("the facts of a refused link are kept, with the dispute")
  func refused() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    _ = try await scene.service.link("alice", to: scene.transaction(purchase))
    scene.appStore.clock.advance(by: .days(30))
    let renewal = try scene.appStore.renew(purchase)
    let verified = try scene.transaction(renewal)
    #expect(
      try await failure { _ = try await scene.service.link("bob", to: verified) }
        == .refused(.linkedToOtherAccount))
    let stored = try await scene.service.subscription(purchase.originalTransactionID)
    #expect(stored.lastTransactionID == renewal.transactionID)
    #expect(stored.owner == "alice")
    #expect(try await scene.history(of: stored.originalTransactionID).last?.kind == .dispute)
    #expect(try await scene.service.membership(of: "bob") == nil)
  }

  @Test("facts are kept also for an unknown account and an unknown product")
  func unknown() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    #expect(
      try await failure {
        _ = try await scene.service.link("nobody", to: scene.transaction(purchase))
      } == .accountNotFound)
    #expect(
      try await scene.service.subscription(purchase.originalTransactionID).lastTransactionID
        == purchase.transactionID)

    let other = try scene.appStore.buy(ServiceScene.premium, by: "other")
    let forgetful = try scene.service(asking: scene.appStore, products: [:])
    #expect(
      try await failure { _ = try await forgetful.link("bob", to: scene.transaction(other)) }
        == .unknownProduct)
    let kept = try await scene.store.read { records in
      try await records.purchases.transactions(
        of: [other.originalTransactionID], environment: .production)
    }
    #expect(kept.map(\.transactionID) == [other.transactionID])
  }

  @Test("an older transaction changes nothing")
  func older() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let early = try scene.transaction(purchase)
    scene.appStore.clock.advance(by: .days(3))
    _ = try scene.appStore.refund(purchase)
    try await scene.verify()
    let refunded = try await scene.service.subscription(purchase.originalTransactionID)
    #expect(refunded.expiresDate < scene.now + 1)
    #expect(try await scene.service.record(early).expiresDate == refunded.expiresDate)
  }

  @Test("a renewal info of another subscription is not recorded")
  func otherRenewalInfo() async throws {
    let scene = try await ServiceScene()
    let one = try scene.appStore.buy(ServiceScene.monthly, by: "one")
    let two = try scene.appStore.buy(ServiceScene.monthly, by: "two")
    #expect(
      try await failure {
        try await scene.service.record(
          scene.transaction(one), renewalInfo: scene.renewalInfo(two))
      } == .notRecorded(.renewalInfoOfOtherSubscription))
    #expect(
      try await failure { _ = try await scene.service.subscription(one.originalTransactionID) }
        == .subscriptionNotFound)
  }
}

@Suite("App receipts without asking Apple", .onEveryStore)
struct AppReceiptFactsTests {
  private func verified(_ receipt: String, _ scene: ServiceScene) throws -> VerifiedAppReceipt {
    let appStore = scene.appStore
    return try AppReceiptVerifier(
      bundleIDs: [ServiceScene.bundleID], trustAnchors: [appStore.authority.trustAnchor],
      now: { appStore.now }
    ).verify(base64: receipt)
  }

  @Test("a receipt makes subscriptions, and is stored for later")
  func record() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    let recorded = try await scene.service.record(
      PurchaseFacts(verified(purchase.receipt, scene)))
    #expect(recorded.map(\.originalTransactionID) == [purchase.originalTransactionID])
    #expect(recorded.first?.autoRenewal == false)
    #expect(scene.appStore.requests.isEmpty)
    // The stored receipt lets Apple be asked later.
    #expect(try await scene.service.refresh(purchase.originalTransactionID).autoRenewal)
  }

  @Test("a receipt takes nothing away that it cannot tell")
  func keeps() async throws {
    let scene = try await ServiceScene()
    let token = UUID()
    let purchase = try scene.appStore.buy(ServiceScene.monthly, appAccountToken: token)
    scene.appStore.clock.advance(by: .days(1))
    try await scene.verify()
    _ = try scene.appStore.refund(purchase)
    scene.appStore.clock.advance(by: .days(1))
    try await scene.service.record(scene.transaction(purchase))
    try await scene.verify()
    let refunded = try await scene.service.subscription(purchase.originalTransactionID)
    scene.appStore.clock.advance(by: .days(1))
    let receipt = try verified(scene.appStore.receipt(of: "customer"), scene)
    try await scene.service.record(PurchaseFacts(receipt))
    let after = try await scene.service.subscription(purchase.originalTransactionID)
    #expect(after.expiresDate == refunded.expiresDate)
    let stored = try await stored(purchase, scene)
    #expect(stored.map(\.appAccountToken) == [token])
    #expect(stored.allSatisfy { $0.cancellationDate != nil && $0.subscriptionGroupID != nil })
  }

  @Test("a plan that is known stays: neither a receipt nor Apple's answer about it names one")
  func keepsPlan() async throws {
    try await expectPlanKept(ServiceScene())
    // So it does where nothing but subscriptions is followed.
    try await withSQLiteFile([.subscriptions]) { store, _ in
      try await expectPlanKept(ServiceScene(store: store))
    }
  }

  private func expectPlanKept(_ scene: ServiceScene) async throws {
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    try await scene.verify()
    scene.appStore.clock.advance(by: .days(1))
    var known = try #require(try await stored(purchase, scene).first)
    known.planID = "MONTHLY"
    known.productType = .autoRenewableSubscription
    known.commitment = PurchaseCommitment(paymentsLeft: 11, payments: 12)
    known.signedDate = scene.appStore.now
    let (record, now) = (known, scene.appStore.now)
    let choice = CommitmentRenewal(willRenew: false, productID: ServiceScene.monthly)
    try await scene.store.write { unit in
      try await unit.purchases.record(
        transactions: [record], environment: .production, now: now)
      var renewals = try await unit.purchases.renewals(
        of: [purchase.originalTransactionID], environment: .production)
      for index in renewals.indices {
        renewals[index].commitment = choice
        renewals[index].signedDate = now
      }
      try await unit.purchases.record(renewals: renewals, environment: .production, now: now)
    }
    scene.appStore.clock.advance(by: .days(1))
    try await scene.verify()
    let verifiedAgain = try await stored(purchase, scene)
    #expect(verifiedAgain.map(\.planID) == ["MONTHLY"])
    #expect(verifiedAgain.map(\.productType) == [.autoRenewableSubscription])
    #expect(verifiedAgain.map(\.commitment?.paymentsLeft) == [11])
    let renewals = try await scene.store.read { records in
      try await records.purchases.renewals(
        of: [purchase.originalTransactionID], environment: .production)
    }
    #expect(renewals.map(\.commitment) == [choice])
    #expect(renewals.allSatisfy { ($0.signedDate ?? .distantPast) > now })
    #expect(verifiedAgain.allSatisfy { ($0.signedDate ?? .distantPast) > now })
    try await scene.service.record(
      PurchaseFacts(verified(scene.appStore.receipt(of: "customer"), scene)))
    #expect(try await stored(purchase, scene).map(\.planID) == ["MONTHLY"])
  }

  private func stored(
    _ purchase: TestPurchase, _ scene: ServiceScene
  ) async throws -> [PurchaseRecord] {
    try await scene.store.read { records in
      try await records.purchases.transactions(
        of: [purchase.originalTransactionID], environment: .production)
    }
  }

  @Test("a late fact between the stored one and the receipt still counts")
  func lateFact() async throws {
    let scene = try await ServiceScene()
    let purchase = try scene.appStore.buy(ServiceScene.monthly)
    scene.appStore.clock.advance(by: .days(1))
    let refund = try scene.appStore.refund(purchase)
    let revoked = try scene.verifier().transaction(refund.signedTransactionInfo)
    try await scene.service.record(revoked)
    scene.appStore.clock.advance(by: .days(4))
    let reversal = try scene.appStore.reverseRefund(purchase)
    let restored = try scene.verifier().transaction(reversal.signedTransactionInfo)
    scene.appStore.clock.advance(by: .days(5))
    try await scene.service.record(
      PurchaseFacts(verified(scene.appStore.receipt(of: "customer"), scene)))
    let after = try await scene.service.record(restored)
    #expect(after.expiresDate == ServiceScene.start + 30 * 86_400)
  }
}
