import Foundation
import OrderPolicy
import ReceiptModels
import Testing

/// The values that tests of orders decide on.
enum OrderExample {
  static let now = Date(timeIntervalSince1970: 1_780_000_000)

  static let basic = SubscriptionLevel(
    name: "Basic", description: "Two portfolios", quota: 2, fee: "4.99",
    appleProductID: "com.example.snips.basic", googleProductID: "basic_monthly")
  static let pro = SubscriptionLevel(
    name: "Pro", description: "Ten portfolios", quota: 10, fee: "9.99",
    appleProductID: "com.example.snips.pro", googleProductID: "pro_monthly")

  static func levels() throws -> SubscriptionLevels { try SubscriptionLevels([pro, basic]) }

  static func order(by userID: AccountID = "u-1", vendor: Vendor = .apple) -> SubscriptionOrder {
    SubscriptionOrder(userID: userID, vendor: vendor, receiptData: "posted")
  }

  static func key(_ identifier: String, from vendor: Vendor = .apple) -> PurchaseKey {
    PurchaseKey(vendor: vendor, environment: .production, identifier: identifier)
  }

  /// A purchase that ends so many seconds from now.
  static func purchase(
    _ productID: String = "com.example.snips.pro", key: String = "k-1", ends seconds: Double = 60,
    linked: String? = nil, receipt: String? = "latest"
  ) -> VendorPurchase {
    VendorPurchase(
      productID: productID, expiration: now + seconds, purchaseKey: Self.key(key),
      receiptData: receipt, linkedPurchaseKeys: linked.map { [Self.key($0)] } ?? [])
  }

  /// A stored subscription that ends so many seconds from now.
  static func stored(
    key: String = "k-1", level: String = "Pro", vendor: Vendor = .apple, ends seconds: Double = 30
  ) -> OrderedSubscription {
    OrderedSubscription(
      userID: "u-1", levelName: level, purchaseKey: Self.key(key, from: vendor),
      receiptData: "stored", expiration: now + seconds, validatedDate: now - 86_400)
  }
}

@Suite("Decisions on orders (entitlement rules, section 14)")
struct OrderDecisionTests {
  private typealias Example = OrderExample

  private func decision(
    _ answer: VendorAnswer, _ situation: OrderSituation = OrderSituation(),
    vendor: Vendor = .apple
  ) throws -> OrderDecision {
    OrderDecision(
      on: Example.order(vendor: vendor), answer, levels: try Example.levels(), situation,
      at: Example.now)
  }

  private func decision(
    _ purchase: VendorPurchase, in environments: CountedEnvironments,
    _ situation: OrderSituation = OrderSituation()
  ) throws -> OrderDecision {
    OrderDecision(
      on: Example.order(), .valid(purchase), levels: try Example.levels(),
      environments: environments, situation, at: Example.now)
  }

  @Test("a purchase of an environment that does not count is invalid, except for testers")
  func environments() throws {
    var purchase = Example.purchase()
    purchase.purchaseKey.environment = .sandbox
    let refused = OrderDecision.refuse(.invalid, removesSubscription: false)
    #expect(try decision(purchase, in: [.production]) == refused)
    #expect(
      try decision(purchase, in: CountedEnvironments([.production], testers: ["u-2"])) == refused)
    let accepted = row(purchase)
    #expect(accepted.environment == .sandbox)
    #expect(try decision(purchase, in: .all) == .accept(accepted))
    #expect(
      try decision(purchase, in: CountedEnvironments([.production], testers: ["u-1"]))
        == .accept(accepted))
    #expect(try decision(Example.purchase(), in: [.sandbox]) == refused)
  }

  @Test("a refused environment removes the stored subscription that rests on the same purchase")
  func removedEnvironment() throws {
    var purchase = Example.purchase()
    purchase.purchaseKey.environment = .sandbox
    for (key, removes) in [("k-1", true), ("k-2", false)] {
      var stored = Example.stored(key: key)
      stored.purchaseKey.environment = .sandbox
      let situation = OrderSituation(subscription: stored, owner: "u-1")
      #expect(
        try decision(purchase, in: [.production], situation)
          == .refuse(.invalid, removesSubscription: removes))
    }
  }

  @Test("a stored subscription whose environment does not count gives way to a purchase")
  func outdatedEnvironment() throws {
    var stored = Example.stored(key: "k-2", ends: 90)
    stored.purchaseKey.environment = .sandbox
    let situation = OrderSituation(subscription: stored)
    let purchase = Example.purchase()
    #expect(try decision(purchase, in: [.production], situation) == .accept(row(purchase)))
    #expect(try decision(purchase, in: .all, situation) == .keep(stored))
  }

  private func row(_ purchase: VendorPurchase) -> OrderedSubscription {
    OrderedSubscription(
      userID: "u-1", levelName: "Pro", purchaseKey: purchase.purchaseKey, receiptData: "latest",
      expiration: purchase.expiration, validatedDate: Example.now)
  }

  @Test("B1: a new order is accepted with the receipt and the end that the vendor gave")
  func first() throws {
    let purchase = Example.purchase()
    #expect(try decision(.valid(purchase)) == .accept(row(purchase)))
  }

  @Test("a vendor that gives no receipt leaves the posted one")
  func posted() throws {
    guard case .accept(let row) = try decision(.valid(Example.purchase(receipt: nil))) else {
      Issue.record("refused")
      return
    }
    #expect(row.receiptData == "posted")
  }

  @Test("the user's own purchase may be ordered again, also when it ends earlier now")
  func repeated() throws {
    let purchase = Example.purchase(ends: 10)
    let situation = OrderSituation(subscription: Example.stored(ends: 90), owner: "u-1")
    #expect(try decision(.valid(purchase), situation) == .accept(row(purchase)))
  }

  @Test("old evidence of the same purchase leaves a later end that is stored")
  func oldEvidence() throws {
    var purchase = Example.purchase(ends: 10)
    purchase.isPresent = false
    for (end, keeps) in [(90.0, true), (10, false), (5, false), (0, false)] {
      let present = Example.stored(ends: end)
      let expected: OrderDecision = keeps ? .keep(present) : .accept(row(purchase))
      #expect(
        try decision(.valid(purchase), OrderSituation(subscription: present)) == expected)
    }
  }

  @Test("an answer that is older than the stored one about the same purchase changes nothing")
  func overtaken() throws {
    var present = Example.stored()
    present.validatedDate = Example.now + 1
    let situation = OrderSituation(subscription: present)
    #expect(try decision(.valid(Example.purchase()), situation) == .keep(present))
    #expect(
      try decision(
        .explicitFailure(ExplicitFailure(.expired, purchaseKey: Example.key("k-1"))), situation)
        == .refuse(.expired, removesSubscription: false))
  }

  @Test("evidence is in no description and no dump")
  func redaction() throws {
    let secret = "secret-receipt"
    let order = SubscriptionOrder(userID: "u-1", vendor: .apple, receiptData: secret)
    var stored = Example.stored()
    stored.receiptData = secret
    let purchase = Example.purchase(receipt: secret)
    let values: [Any] = [
      order, stored, purchase, OrderSituation(subscription: stored), VendorAnswer.valid(purchase),
      OrderDecision.accept(stored), RevalidationDecision.update(stored),
    ]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      #expect(!"\(value)\(dumped)".contains(secret))
    }
  }

  @Test(
    "a purchase of another user is refused, by its claim, its older token, its mark or another capability"
  )
  func othersPurchase() throws {
    for situation in [
      OrderSituation(owner: "u-2"), OrderSituation(linkedOwner: "u-2"),
      OrderSituation(markedUser: "u-2"), OrderSituation(owner: "u-1", linkedOwner: "u-2"),
      OrderSituation(otherOwner: "u-2"),
    ] {
      #expect(
        try decision(.valid(Example.purchase(linked: "k-0")), situation)
          == .refuse(.alreadyUsed, removesSubscription: false))
    }
    let own = OrderSituation(owner: "u-1", linkedOwner: "u-1", markedUser: "u-1")
    #expect(
      try decision(.valid(Example.purchase()), own) == .accept(row(Example.purchase())))
  }

  @Test("a different purchase replaces the stored one if it ends later, or if that one has ended")
  func different() throws {
    let rows: [(stored: Double, new: Double, replaces: Bool)] = [
      (30, 31, true), (30, 30, false), (30, 29, false), (0, 5, true), (-1, 5, true),
    ]
    for (stored, new, replaces) in rows {
      let present = Example.stored(key: "k-0", ends: stored)
      let purchase = Example.purchase(ends: new)
      let expected: OrderDecision = replaces ? .accept(row(purchase)) : .keep(present)
      #expect(try decision(.valid(purchase), OrderSituation(subscription: present)) == expected)
    }
  }

  @Test(
    "a purchase that the vendor put in the stored one's place replaces it, even if it ends earlier")
  func linked() throws {
    let purchase = Example.purchase(ends: 5, linked: "k-0")
    let situation = OrderSituation(
      subscription: Example.stored(key: "k-0", ends: 90), linkedOwner: "u-1")
    #expect(try decision(.valid(purchase), situation) == .accept(row(purchase)))
  }

  @Test("an identifier of another vendor, or of Apple's other environment, is another purchase")
  func otherVendor() throws {
    var sandbox = Example.stored(ends: 90)
    sandbox.purchaseKey.environment = .sandbox
    for present in [Example.stored(vendor: .google, ends: 90), sandbox] {
      #expect(
        try decision(.valid(Example.purchase()), OrderSituation(subscription: present))
          == .keep(present))
    }
  }

  @Test("a product of no level is refused, also if it is a level's product at another vendor")
  func unknownProduct() throws {
    for product in ["com.example.snips.gold", "pro_monthly", "com.example.snips.Pro"] {
      #expect(
        try decision(.valid(Example.purchase(product)))
          == .refuse(.unknownProduct, removesSubscription: false))
    }
    guard case .accept = try decision(.valid(Example.purchase("pro_monthly")), vendor: .google)
    else {
      Issue.record("refused at its own vendor")
      return
    }
  }

  @Test("an explicit failure removes the stored subscription only if it rests on the same purchase")
  func explicit() throws {
    let rows: [(key: String?, stored: OrderedSubscription?, removes: Bool)] = [
      ("k-1", Example.stored(), true), ("k-2", Example.stored(), false),
      (nil, Example.stored(), false), ("k-1", nil, false),
      ("k-1", Example.stored(vendor: .google), false),
    ]
    for (key, stored, removes) in rows {
      #expect(
        try decision(
          .explicitFailure(ExplicitFailure(.expired, purchaseKey: key.map { Example.key($0) })),
          OrderSituation(subscription: stored))
          == .refuse(.expired, removesSubscription: removes))
    }
  }

  @Test("after an incidental failure nothing is decided")
  func incidental() throws {
    let failure = IncidentalFailure(.busy, retryAfter: .seconds(7))
    #expect(
      try decision(.incidentalFailure(failure), OrderSituation(subscription: Example.stored()))
        == .unavailable(failure))
  }
}
