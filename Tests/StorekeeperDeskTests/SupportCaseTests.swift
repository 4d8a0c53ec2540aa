import CreditPolicy
import GooglePlayVerifier
import InMemoryStorage
import JWSVerifier
import LinkPolicy
import PurchaseStorage
import ReceiptModels
import StoreSimulators
import Storekeeper
import StorekeeperDesk
import StorekeeperTesting
import Testing

/// The complaints that support gets, each made with the simulators.
///
/// Whoever types in what the customer tells sees the
/// sentence that answers it with the first page.
@Suite("The page of a customer answers: ")
struct SupportCaseTests {
  let scene: DeskScene

  init() throws { scene = try DeskScene() }

  private func expect(
    _ sentence: String, finding text: String = "alice",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let sentences = try await scene.find(text).sentences
    #expect(sentences.contains(sentence), "\(sentences)", sourceLocation: sourceLocation)
  }

  @Test("I paid twice")
  func paidTwice() async throws {
    try await scene.linked()
    let other = try scene.appStore.buy("reader.puzzles", by: "c2")
    try await scene.upload(other, for: "alice")
    try await expect(
      """
      Several subscriptions are paid at the same time: reader.monthly (Apple) and reader.puzzles (Apple). One membership \
      rests on one of them; the customer can end the others at the store.
      """)
  }

  @Test("My wife's phone has it, mine not")
  func shared() async throws {
    let purchase = try await scene.linked()
    await #expect(throws: SubscriptionFailure.self) { try await scene.link("bob", to: purchase) }
    try await expect(
      """
      This account asked for reader.monthly on \(moment(after: 0)), and did not get it. Another account has it.
      """,
      finding: "bob")
    // One click further is whose it is.
    #expect(try await scene.find("bob").contains(#"href="/desk/customers/alice""#))
  }

  // MARK: In apps, without memberships

  @Test("My wife's phone has what I bought in the app", arguments: [false, true])
  func sharedInApp(isOfApps: Bool) async throws {
    let scene = try DeskScene(isOfApps: isOfApps)
    let purchase = try scene.appStore.buy("reader.lifetime", by: "c1")
    try await scene.upload(purchase, for: "alice")
    await #expect(throws: EntitlementFailure.linkedToOtherUser) {
      try await scene.upload(purchase, for: "bob")
    }
    let page = try await scene.find("bob")
    #expect(
      page.sentences == [
        """
        This account asked for reader.lifetime on \(moment(after: 0)), and did not get it. Another account has it.
        """
      ])
    #expect(page.contains(#"href="/desk/customers/alice""#))
  }

  @Test("I paid twice in the app")
  func paidTwiceInApp() async throws {
    let scene = try DeskScene(isOfApps: true)
    for (product, customer) in [("reader.monthly", "c1"), ("reader.puzzles", "c2")] {
      try await scene.upload(try scene.appStore.buy(product, by: customer), for: "alice")
    }
    let sentences = try await scene.find("alice").sentences
    #expect(
      sentences.contains(
        """
        Several subscriptions are paid at the same time: reader.monthly (Apple) and reader.puzzles (Apple). Each of them \
        makes the customer a subscriber of com.example.reader; the customer can end the others at the store.
        """), "\(sentences)")
  }

  @Test("My season ticket ended")
  func seasonEnded() async throws {
    let scene = try DeskScene(isOfApps: true)
    try await scene.upload(try scene.appStore.buy(DeskScene.season, by: "c1"), for: "alice")
    scene.pass(31)
    let sentences = try await scene.find("alice").sentences
    #expect(
      sentences.contains("reader.season ended on \(moment(after: 30)). It does not renew."),
      "\(sentences)")
  }

  @Test("I bought two season tickets, of which one follows the other")
  func seasonsInARow() async throws {
    let scene = try DeskScene(isOfApps: true)
    for _ in 0..<2 {
      try await scene.upload(try scene.appStore.buy(DeskScene.season, by: "c1"), for: "alice")
      scene.pass(5)
    }
    scene.pass(26)  // Day 36.
    let sentences = try await scene.find("alice").sentences
    #expect(!sentences.contains { $0.contains("ended") }, "\(sentences)")
    #expect(sentences.contains { $0.contains(moment(after: 60)) }, "\(sentences)")
    scene.pass(25)
    let later = try await scene.find("alice").sentences
    #expect(
      later.contains("reader.season ended on \(moment(after: 60)). It does not renew."), "\(later)")
  }

  @Test("An order ended, of which the page has nothing")
  func orders() async throws {
    let scene = try DeskScene { desk in
      desk.orders = try? OrderService(desk.context, vendors: [])
    }
    #expect(
      try await scene.find("alice").sentences == [
        """
        This page has nothing of the account. An ordered subscription that ended is found by its purchase: type in its \
        order number, transaction ID or purchase token.
        """
      ])
  }

  @Test("It says that somebody else wants what is mine")
  func wanted() async throws {
    let purchase = try await scene.linked()
    await #expect(throws: SubscriptionFailure.self) { try await scene.link("bob", to: purchase) }
    try await expect(
      """
      Another account asked for reader.monthly on \(moment(after: 0)), and did not get it.
      """
    )
  }

  @Test("I was refunded: why is it gone at once?")
  func refunded() async throws {
    let purchase = try await scene.linked()
    scene.pass(3)
    try await scene.tell(try scene.appStore.refund(purchase))
    try await expect(
      "Apple refunded reader.monthly on \(moment(after: 3)). Access ended with the refund.")
    try await expect(
      """
      The membership (standard, by the month) gives no access any more: it ended on \
      \(moment(after: 3)).
      """
    )
  }

  @Test("I was refunded, as the app did not work")
  func refundedForAnIssue() async throws {
    let purchase = try await scene.linked()
    try await scene.tell(try scene.appStore.refund(purchase, reason: .issueInApp))
    try await expect(
      """
      Apple refunded reader.monthly on \(moment(after: 0)) for a problem with the app. Access \
      ended with the refund.
      """
    )
  }

  @Test("I cancelled, and still have it")
  func cancelled() async throws {
    let purchase = try await scene.linked()
    try await scene.tell(try scene.appStore.setAutoRenew(.off, of: purchase))
    try await expect(
      """
      reader.monthly is paid until \(moment(after: 30)). The customer has turned renewal off, so that it ends then.
      """)
  }

  @Test("My premium ended")
  func ended() async throws {
    let purchase = try await scene.linked()
    try await scene.tell(try scene.appStore.setAutoRenew(.off, of: purchase))
    scene.pass(30)
    try await scene.tell(try scene.appStore.expire(purchase, for: .customerCancelled))
    try await expect(
      "reader.monthly ended on \(moment(after: 30)): the customer had turned renewal off.")
  }

  @Test("My card was declined, and I still have it")
  func grace() async throws {
    let purchase = try await scene.linked()
    scene.pass(30)
    try await scene.tell(try scene.appStore.failRenewal(purchase, gracePeriod: .days(16)))
    try await expect(
      """
      The renewal of reader.monthly could not be charged. The store tries again, and lets the customer use it until \
      \(moment(after: 46)).
      """)
  }

  @Test("My card was declined, and it is gone")
  func retry() async throws {
    let purchase = try await scene.linked()
    scene.pass(30)
    try await scene.tell(try scene.appStore.failRenewal(purchase))
    try await expect(
      """
      The renewal of reader.monthly could not be charged on \(moment(after: 30)). Apple tries again for up to 60 \
      days; until it succeeds there is no access.
      """)
  }

  @Test("I did not agree to the new price")
  func price() async throws {
    let purchase = try await scene.linked()
    scene.pass(30)
    try await scene.tell(try scene.appStore.expire(purchase, for: .priceIncreaseNotConsented))
    try await expect(
      "reader.monthly ended on \(moment(after: 30)): the customer did not agree to the new price.")
  }

  @Test("What I had is not sold any more")
  func withdrawn() async throws {
    let purchase = try await scene.linked()
    scene.pass(30)
    try await scene.tell(try scene.appStore.expire(purchase, for: .productNotAvailable))
    try await expect(
      "reader.monthly ended on \(moment(after: 30)): the product is not sold any more.")
  }

  @Test("I renewed, and you do not know of it")
  func unheard() async throws {
    try await scene.linked()
    scene.pass(31)
    try await expect(
      """
      reader.monthly ended on \(moment(after: 30)), and no renewal is known. The store gave no \
      reason.
      """
    )
  }

  @Test("I changed to another plan")
  func changed() async throws {
    let purchase = try await scene.linked()
    scene.pass(10)
    try await scene.tell(
      try scene.appStore.upgrade(purchase, to: "reader.premium").notification)
    try await expect(
      "reader.premium is paid until \(moment(after: 375)) and renews by itself.")
  }

  @Test("I chose another plan for next month")
  func pending() async throws {
    let purchase = try await scene.linked("reader.premium")
    try await scene.tell(try scene.appStore.downgrade(purchase, to: "reader.monthly"))
    try await expect("reader.premium renews as reader.monthly, which the customer has chosen.")
  }

  @Test("I changed to Android")
  func android() async throws {
    let iPhone = try await scene.linked()
    scene.pass(20)
    try await scene.tell(try scene.appStore.setAutoRenew(.off, of: iPhone))
    scene.pass(10)
    try await scene.tell(try scene.appStore.expire(iPhone, for: .customerCancelled))
    let bought = try scene.play.subscribe(DeskScene.android)
    let verifier = EvidenceVerifier(scene.shop, googlePlay: scene.playClient)
    let facts = try await verifier.facts(of: .purchaseToken(bought.purchaseToken))
    _ = try await scene.subscriptions.link("alice", to: facts, force: true)
    try await expect(
      """
      The membership (standard, by the month) gives access until \(moment(after: 60)). It rests on a subscription of \
      Google.
      """)
    // The token of the receipt leads there as well.
    #expect(try await scene.find(bought.purchaseToken).contains("Customer alice"))
  }

  @Test("My family shared it, and now it is gone")
  func family() async throws {
    let bought = try scene.appStore.buy("reader.monthly", by: "parent")
    let shared = try scene.appStore.share(bought, with: "child")
    try await scene.tell(shared.notification)
    try await scene.link("alice", to: shared)
    scene.pass(2)
    try await scene.tell(try scene.appStore.revoke(shared))
    try await expect(
      """
      reader.monthly was shared by somebody else, who stopped sharing it on \
      \(moment(after: 2)).
      """
    )
  }

  @Test("You took it from me")
  func unlinked() async throws {
    let purchase = try await scene.linked()
    scene.pass(1)
    try await scene.subscriptions.unlink("alice", from: purchase.originalTransactionID)
    try await expect(
      "\(purchase.originalTransactionID) was unlinked from this account on \(moment(after: 1)).")
  }

  @Test("I bought it for good, and it is gone")
  func lifetime() async throws {
    let purchase = try scene.appStore.buy("reader.lifetime", by: "c1")
    try await scene.upload(purchase, for: "alice")
    try await expect("reader.lifetime was bought on \(moment(after: 0)), once and for good.")
    try await expect("May be used in com.example.reader: reader.lifetime.")
    scene.pass(1)
    try await scene.tell(try scene.appStore.refund(purchase))
    try await expect(
      "Apple refunded reader.lifetime on \(moment(after: 1)). Access ended with the refund.")
    try await expect("Nothing may be used in com.example.reader.")
  }

  @Test("My credits are gone: they were spent")
  func spent() async throws {
    try await granted()
    for amount in [30, 50] {
      try await scene.book(-amount)
      scene.pass(1)
    }
    try await expect("The balance is 20 credits.")
    try await expect("80 credits were spent in 2 entries, the last one on \(moment(after: 1)).")
  }

  @Test("My credits are gone: the pack was refunded")
  func clawedBack() async throws {
    let purchase = try await granted()
    scene.pass(4)
    try await scene.tell(try scene.appStore.refund(purchase))
    try await expect("The balance is 0 credits.")
    try await expect(
      "100 credits were taken back on \(moment(after: 4)), because the store took their pack back.")
  }

  @discardableResult
  private func granted() async throws -> TestPurchase {
    let purchase = try scene.appStore.buy(DeskScene.pack, by: "c1")
    let transaction = try scene.verifier.transaction(try purchase.signedTransactionInfo)
    _ = try await scene.credits.grant(transaction, of: "pack", to: "alice")
    return purchase
  }

  @Test("It moved to another account")
  func moved() async throws {
    var options = LinkOptions()
    options.transfer.production = .always
    let scene = try DeskScene(options: options)
    let purchase = try await scene.linked()
    scene.pass(1)
    try await scene.link("bob", to: purchase)
    let sentences = try await scene.find("bob").sentences
    #expect(
      sentences.contains(
        """
        reader.monthly moved to this account on \(moment(after: 1)), because it showed the \
        purchase.
        """
      ),
      "\(sentences)")
  }

  @Test("I tested it, and have nothing")
  func sandbox() async throws {
    var options = LinkOptions()
    options.allowedEnvironments = CountedEnvironments([.production], testers: ["alice"])
    let scene = try DeskScene(environment: .sandbox, options: options)
    try await scene.linked()
    try await TestingEnd(scene.store, now: { scene.appStore.now }).set()
    let sentences = try await scene.find("alice").sentences
    #expect(
      sentences.contains(
        """
        The membership (standard, by the month) rests on a purchase of the Sandbox, for which nobody pays and which does \
        not count for this account.
        """), "\(sentences)")
  }

  @Test("I never bought anything, or somebody else is asking")
  func nothing() async throws {
    try await expect(
      """
      Nothing is recorded for this account: no purchase that it showed, and none that it asked \
      for.
      """,
      finding: "carol")
    #expect(try await scene.find("dave").contains("Nothing is stored under this."))
  }
}

extension DeskScene {
  /// Books an amount of the host's own for alice.
  fileprivate func book(_ amount: Int) async throws {
    _ = try await credits.book(
      .init(
        userID: "alice", eventID: "host:\(amount)", changeType: "spending", subjectType: "host",
        subjectID: "1", amount: amount))
  }
}

/// Whole pages: nothing else is said, so that no two sentences contradict each other.
@Suite("A page says all that matters, and nothing else")
struct WholePageTests {
  let scene: DeskScene

  init() throws { scene = try DeskScene() }

  @Test("of who has a purchase, and of who does not")
  func both() async throws {
    let purchase = try await scene.linked()
    await #expect(throws: SubscriptionFailure.self) { try await scene.link("bob", to: purchase) }
    #expect(
      try await scene.find("alice").sentences == [
        """
        The membership (standard, by the month) gives access until \(moment(after: 30)). It rests \
        on a subscription of Apple.
        """,
        "reader.monthly is paid until \(moment(after: 30)) and renews by itself.",
        "Another account asked for reader.monthly on \(moment(after: 0)), and did not get it.",
      ])
    #expect(
      try await scene.find("bob").sentences == [
        """
        This account asked for reader.monthly on \(moment(after: 0)), and did not get it. Another \
        account has it.
        """
      ])
  }

  @Test("of a purchase that moved, on both sides")
  func moved() async throws {
    var options = LinkOptions()
    options.transfer.production = .always
    let scene = try DeskScene(options: options)
    let purchase = try await scene.linked()
    scene.pass(1)
    try await scene.link("bob", to: purchase)
    let id = purchase.originalTransactionID
    #expect(
      try await scene.find("alice").sentences == [
        "\(id) moved to another account on \(moment(after: 1)), because that one showed the purchase."
      ])
    #expect(
      try await scene.find("bob").sentences == [
        """
        The membership (standard, by the month) gives access until \(moment(after: 30)). It rests \
        on a subscription of Apple.
        """,
        "reader.monthly is paid until \(moment(after: 30)) and renews by itself.",
        "reader.monthly moved to this account on \(moment(after: 1)), because it showed the purchase.",
      ])
  }

  @Test("of a subscription of Google's that ended, which is no refund")
  func google() async throws {
    let bought = try scene.play.subscribe(DeskScene.android)
    let verifier = EvidenceVerifier(scene.shop, googlePlay: scene.playClient)
    _ = try await scene.subscriptions.link(
      "alice", to: try await verifier.facts(of: .purchaseToken(bought.purchaseToken)))
    #expect(try await scene.find(bought.orderID).contains("<h1>Customer alice</h1>"))
    try scene.play.expire(bought)
    _ = try await scene.subscriptions.record(
      try await verifier.facts(of: .purchaseToken(bought.purchaseToken)))
    let sentences = try await scene.find("alice").sentences
    #expect(
      !sentences.contains { $0.contains("refunded reader") || $0.contains("with the refund") })
    #expect(sentences.contains { $0.hasPrefix("Google says that reader_monthly gives nothing") })
  }
}
