import CatalogFiles
import Foundation
import StoreSimulators
import Storekeeper
import StorekeeperTesting
import Testing

/// A host that sells packs of credits in a simulated Play store.
struct PlayCreditScene: Sendable {
  static let packs = """
    product_mappings:
      welcome_pack:
        app_store_product_id: \(CreditScene.welcome)
        google_play_product_id: gems_welcome
        credits: 60
        type: starter
      big_pack:
        app_store_product_id: \(CreditScene.big)
        google_play_product_id: gems_big
        credits: 500
      apple_pack:
        app_store_product_id: com.example.gems.apple
        credits: 5
    """

  let store: any PurchaseStore
  let play: PlayStoreSimulator
  let client: GooglePlayClient
  let credits: CreditService
  let notifications: PlayNotificationService

  init(options: CreditOptions = CreditOptions()) async throws {
    let store = try await StoreScope.emptyHostStore(HostRecords.Faults())
    var pushes = PlayPushConfiguration()
    pushes.url = PlayScene.audience
    pushes.email = PlayScene.email
    let play = try PlayStoreSimulator(
      packageName: PlayScene.packageName,
      products: ["gems_welcome", "gems_big", "gold_theme"].map { PlayProduct($0, .oneTime) }
    ) {
      $0.serviceAccount = PlayScene.account
      $0.pushes = pushes
      $0.pushKey = PlayScene.pushKey
      $0.start = ServiceScene.start
    }
    let client = try PlayScene.client(of: play, play)
    let context = PurchaseContext(
      store: store, accounts: Accounts(), verifier: try await CreditScene().verifier,
      now: { play.now })
    credits = try CreditService(
      context, products: try CreditProductMapping(bytes: Array(Self.packs.utf8)).products,
      options: options, googlePlay: client)
    var notifications = try PlayNotificationService(
      context, play: client,
      tokens: try PushTokenVerifier(
        configuration: .init(audience: PlayScene.audience, email: PlayScene.email),
        transport: play, now: { play.now }))
    notifications.credits = credits
    self.notifications = notifications
    (self.store, self.play, self.client) = (store, play, client)
  }

  /// Users whose marks at Google are texts of their own.
  struct Accounts: AccountDirectory {
    func account(_ id: AccountID) -> Account? { Account(id: id) }
    func account(markedBy mark: String) -> Account? {
      mark.hasPrefix("mark-") ? Account(id: AccountID(stored: String(mark.dropFirst(5)))) : nil
    }
    func emailAddress(of id: AccountID) -> String? { nil }
  }

  static func run(
    options: CreditOptions = CreditOptions(),
    _ body: nonisolated(nonsending) (PlayCreditScene) async throws -> Void
  ) async throws {
    let scene = try await PlayCreditScene(options: options)
    try await body(scene)
    for user: AccountID in ["u1", "u2"] {
      #expect(try await scene.credits.audit(user) == [])
    }
  }

  func grant(
    _ purchase: TestPlayPurchase, of code: String = "big_pack", to user: AccountID = "u1"
  ) async throws -> CreditGrant {
    try await credits.grant(purchaseToken: purchase.purchaseToken, of: code, to: user)
  }

  func balance(of user: AccountID = "u1") async throws -> Int {
    try await credits.balance(of: user)
  }

  func amounts(of user: AccountID = "u1") async throws -> [Int] {
    try await credits.ledger(of: user, limit: 100).entries.reversed().map(\.booking.amount)
  }

  func events(of user: AccountID = "u1") async throws -> [String] {
    try await credits.ledger(of: user, limit: 100).entries.reversed().map(\.booking.eventID)
  }

  func push() async throws {
    let attempts = try await play.deliverPushes(by: PushReceiver(notifications: notifications))
    let areTaken = attempts.allSatisfy(\.isAcknowledged)
    #expect(areTaken)
  }

  func deliver() async throws -> OutboxDelivery.Report {
    try await OutboxDelivery(
      store: store, handler: AcknowledgementDelivery(client, store: store, now: { play.now }),
      now: { play.now }
    ).deliverDue()
  }

  /// The order of a purchase, by which its events are named.
  func order(of purchase: TestPlayPurchase) async throws -> String {
    try await client.product(token: purchase.purchaseToken).orderID ?? ""
  }

  func isConsumed(_ purchase: TestPlayPurchase) async throws -> Bool {
    let answer = try await client.product(token: purchase.purchaseToken)
    return answer.productLineItems.first?.productOfferDetails?.consumptionState == .consumed
  }
}

/// Source: credit rules, section 11.
@Suite("Credits that Google Play sells", .onEveryStore)
struct PlayCreditTests {
  @Test("are given once, by token and quantity, and the product is consumed after that")
  func once() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big", quantity: 3)
      let first = try await scene.grant(purchase)
      #expect(first.status == .granted)
      #expect(first.creditsAdded == 1500)
      #expect(first.newBalance == 1500)
      let order = try await scene.order(of: purchase)
      #expect(first.ledgerEventID == "payment.google_play:\(order):gems_big")
      let second = try await scene.grant(purchase)
      #expect(second.status == .alreadyGranted)
      #expect(second.creditsAdded == 0)
      #expect(second.ledgerEventID == first.ledgerEventID)
      #expect(try await scene.balance() == 1500)
      #expect(!(try await scene.isConsumed(purchase)))
      #expect(try await scene.deliver() == OutboxDelivery.Report(delivered: 1))
      #expect(try await scene.isConsumed(purchase))
      #expect(try await scene.deliver() == OutboxDelivery.Report())
      #expect(try await scene.grant(purchase).status == .alreadyGranted)
      let entry = try #require(try await scene.credits.ledger(of: "u1", limit: 1).entries.first)
      let ext = try #require(entry.booking.metadata["ext"])
      #expect(ext["provider"] == .string("google_play"))
      #expect(ext["package_name"] == .string(PlayScene.packageName))
      #expect(ext["google_play_product_id"] == .string("gems_big"))
      #expect(ext["quantity"] == .integer(3))
    }
  }

  @Test("20 identical calls at once: one grant, one message")
  func atOnce() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big")
      let statuses = try await withThrowingTaskGroup(of: CreditGrant.Status.self) { group in
        for _ in 0..<20 { group.addTask { try await scene.grant(purchase).status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.count { $0 == .granted } == 1)
      #expect(try await scene.balance() == 500)
      #expect(try await scene.deliver() == OutboxDelivery.Report(delivered: 1))
    }
  }

  @Test("a pending purchase waits until it is paid")
  func pending() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big", PlayTerms(payment: .pending))
      #expect(try await creditFailure { try await scene.grant(purchase) } == .refused(.pending))
      try await scene.push()
      #expect(try await scene.balance() == 0)
      try scene.play.completePayment(of: purchase)
      try await scene.push()
      #expect(try await scene.grant(purchase).status == .granted)
      #expect(try await scene.balance() == 500)
    }
  }

  @Test(
    "refusals: another product, an unknown code, a token that Google doesn't know, another's mark")
  func refusals() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy(
        "gems_big", PlayTerms(obfuscatedAccountID: "mark-u1"))
      let other = try scene.play.buy("gold_theme")
      func failure(
        _ purchase: TestPlayPurchase, of code: String, to user: AccountID = "u1"
      ) async throws -> CreditFailure? {
        try await creditFailure { try await scene.grant(purchase, of: code, to: user) }
      }
      #expect(try await failure(purchase, of: "welcome_pack") == .refused(.productMismatch))
      #expect(try await failure(other, of: "big_pack") == .refused(.productMismatch))
      #expect(try await failure(purchase, of: "apple_pack") == .refused(.productMismatch))
      #expect(try await failure(purchase, of: "no_pack") == .refused(.productNotFound))
      #expect(
        try await failure(purchase, of: "big_pack", to: "u2") == .refused(.appAccountTokenMismatch))
      let unknown = try await creditFailure {
        try await scene.credits.grant(purchaseToken: "nobody's token", of: "big_pack", to: "u1")
      }
      guard case .purchaseNotFound? = unknown else {
        Issue.record("\(String(describing: unknown))")
        return
      }
      #expect(try await scene.amounts() == [])
      #expect(try await scene.grant(purchase).status == .granted)
      #expect(
        try await failure(purchase, of: "big_pack", to: "u2") == .refused(.appAccountTokenMismatch))
    }
  }

  @Test("a purchase without a mark belongs to the first user")
  func firstUser() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big")
      #expect(try await scene.grant(purchase).status == .granted)
      #expect(
        try await creditFailure { try await scene.grant(purchase, to: "u2") } == .refused(.conflict)
      )
    }
  }

  @Test("a starter pack is sold once to each identity, whatever the store")
  func starter() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let first = try scene.play.buy("gems_welcome", by: "one")
      let second = try scene.play.buy("gems_welcome", by: "two")
      #expect(try await scene.grant(first, of: "welcome_pack").status == .granted)
      #expect(
        try await creditFailure { try await scene.grant(second, of: "welcome_pack") }
          == .refused(.starterIneligible))
      #expect(try await scene.balance() == 60)
    }
  }

  @Test("what testers buy counts where the host allows the Sandbox")
  func testers() async throws {
    var options = CreditOptions()
    options.environments = [.production]
    try await PlayCreditScene.run(options: options) { (scene) async throws in
      let purchase = try scene.play.buy("gems_big", PlayTerms(buyer: .licenseTester))
      #expect(
        try await creditFailure { try await scene.grant(purchase) }
          == .environmentNotAllowed(.sandbox))
    }
  }

  @Test("a refund takes the credits back, once, whoever tells of it")
  func refund() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big")
      _ = try await scene.grant(purchase)
      _ = try await scene.deliver()
      try scene.play.refund(purchase)
      try await scene.push()
      #expect(try await scene.amounts() == [500, -500])
      let order = try await scene.order(of: purchase)
      #expect(
        try await scene.events() == [
          "payment.google_play:\(order):gems_big", "payment.google_play.refund:\(order):gems_big",
        ])
      _ = try await VoidedPurchaseRecovery(scene.notifications).recover()
      #expect(try await scene.amounts() == [500, -500])
      #expect(try await creditFailure { try await scene.grant(purchase) } == .refused(.revoked))
    }
  }

  @Test("Google's list tells of a refund whose notification was lost")
  func lost() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big")
      _ = try await scene.grant(purchase)
      try await scene.push()
      scene.play.loseNotifications(next: 100)
      try scene.play.refund(purchase)
      try await scene.push()
      #expect(try await scene.balance() == 500)
      _ = try await VoidedPurchaseRecovery(scene.notifications).recover()
      #expect(try await scene.amounts() == [500, -500])
    }
  }

  @Test("a refund takes back also what is no longer in the list of packs")
  func removedPack() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big")
      _ = try await scene.grant(purchase)
      try scene.play.refund(purchase)
      var notifications = scene.notifications
      notifications.credits = try CreditService(
        scene.credits.context, products: CreditProducts(), googlePlay: scene.client)
      let attempts = try await scene.play.deliverPushes(
        by: PushReceiver(notifications: notifications))
      let areTaken = attempts.allSatisfy(\.isAcknowledged)
      #expect(areTaken)
      #expect(try await scene.amounts() == [500, -500])
    }
  }

  @Test("a one-time product that gives no credits is none of them")
  func otherProduct() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gold_theme")
      #expect(try await !scene.credits.follow(purchaseToken: purchase.purchaseToken))
      let pack = try scene.play.buy("gems_big")
      #expect(try await scene.credits.follow(purchaseToken: pack.purchaseToken))
    }
  }

  @Test("a refund that comes before the app sends the purchase leaves nothing to grant")
  func refundedFirst() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big")
      try scene.play.refund(purchase)
      try await scene.push()
      #expect(try await creditFailure { try await scene.grant(purchase) } == .refused(.revoked))
      #expect(try await scene.amounts() == [])
    }
  }

  @Test("pieces that are refunded: the whole by default", arguments: [true, false])
  func pieces(isGrantedBefore: Bool) async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big", quantity: 4)
      if isGrantedBefore { _ = try await scene.grant(purchase) }
      try scene.play.refund(purchase, quantity: 1)
      try await scene.push()
      #expect(try await scene.amounts() == (isGrantedBefore ? [2000, -2000] : []))
      #expect(try await creditFailure { try await scene.grant(purchase) } == .refused(.revoked))
    }
  }

  @Test("pieces that are refunded: their share, if the host chose so")
  func shares() async throws {
    var options = CreditOptions()
    options.partialRefunds = .share
    try await PlayCreditScene.run(options: options) { (scene) async throws in
      let purchase = try scene.play.buy("gems_big", quantity: 4)
      _ = try await scene.grant(purchase)
      try scene.play.refund(purchase, quantity: 1)
      try await scene.push()
      #expect(try await scene.amounts() == [2000, -500])
      // The same news again.
      scene.play.clock.advance(by: .seconds(60))
      _ = try await VoidedPurchaseRecovery(scene.notifications).recover()
      #expect(try await scene.amounts() == [2000, -500])
      try scene.play.refund(purchase, quantity: 2)
      try await scene.push()
      #expect(try await scene.amounts() == [2000, -500, -1000])
      try scene.play.refund(purchase)
      try await scene.push()
      #expect(try await scene.amounts() == [2000, -500, -1000, -500])
      #expect(try await scene.balance() == 0)
    }
  }

  @Test(
    "a purchase of which pieces were refunded before is granted without them, if the host chose so")
  func sharesFirst() async throws {
    var options = CreditOptions()
    options.partialRefunds = .share
    try await PlayCreditScene.run(options: options) { (scene) async throws in
      let purchase = try scene.play.buy("gems_big", quantity: 4)
      try scene.play.refund(purchase, quantity: 1)
      let grant = try await scene.grant(purchase)
      #expect(grant.status == .granted)
      #expect(grant.newBalance == 1500)
      #expect(try await scene.amounts() == [2000, -500])
    }
  }

  @Test("so is one of whose pieces Google told first")
  func sharesToldFirst() async throws {
    var options = CreditOptions()
    options.partialRefunds = .share
    try await PlayCreditScene.run(options: options) { (scene) async throws in
      let purchase = try scene.play.buy("gems_big", quantity: 4)
      try scene.play.refund(purchase, quantity: 1)
      try await scene.push()
      #expect(try await scene.grant(purchase).newBalance == 1500)
      let refunded = try scene.play.buy("gems_big", quantity: 4)
      try scene.play.refund(refunded)
      try await scene.push()
      let refusal = try await creditFailure { try await scene.grant(refunded) }
      #expect(refusal == .refused(.revoked))
      #expect(try await scene.balance() == 1500)
    }
  }

  @Test("while Google can't be asked, nothing is given, and pushes come again")
  func outage() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big")
      scene.play.fail(next: nil, with: .error(HTTPStatusCode(503), reason: "backendError"))
      let failure = try await creditFailure { try await scene.grant(purchase) }
      guard case .googlePlayUnavailable? = failure else {
        Issue.record("\(String(describing: failure))")
        return
      }
      scene.play.stopFailing()
      _ = try await scene.grant(purchase)
      try scene.play.refund(purchase)
      scene.play.fail(next: nil, with: .error(HTTPStatusCode(503), reason: "backendError"))
      let attempts = try await scene.play.deliverPushes(
        by: PushReceiver(notifications: scene.notifications))
      let areTaken = attempts.allSatisfy(\.isAcknowledged)
      #expect(!areTaken)
      #expect(try await scene.balance() == 500)
      scene.play.stopFailing()
      scene.play.clock.advance(by: .seconds(3600))
      try await scene.push()
      #expect(try await scene.balance() == 0)
    }
  }

  @Test("the consumption is tried again until Google takes it")
  func consumption() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      let purchase = try scene.play.buy("gems_big")
      _ = try await scene.grant(purchase)
      scene.play.fail(next: nil, with: .error(HTTPStatusCode(503), reason: "backendError"))
      let report = try await scene.deliver()
      #expect(report.failed == 1)
      scene.play.stopFailing()
      scene.play.clock.advance(by: .seconds(86_400))
      #expect(try await scene.deliver() == OutboxDelivery.Report(delivered: 1))
      #expect(try await scene.isConsumed(purchase))
    }
  }

  @Test("events of both stores are reserved")
  func reserved() async throws {
    try await PlayCreditScene.run { (scene) async throws in
      for event in ["payment.google_play:1", "payment.apple_iap:1", "payment.google_play"] {
        let failure = try await creditFailure {
          try await scene.credits.book(
            LedgerBooking(
              userID: "u1", eventID: event, changeType: "bonus", subjectType: "x", subjectID: "1",
              amount: 1))
        }
        #expect(failure == .reservedEvent)
      }
    }
  }

  @Test("a host without a client of Google Play says so")
  func notServed() async throws {
    let scene = try await CreditScene()
    let failure = try await creditFailure {
      try await scene.credits.grant(purchaseToken: "token", of: "big_pack", to: "u1")
    }
    #expect(failure == .googlePlayNotServed)
  }
}
