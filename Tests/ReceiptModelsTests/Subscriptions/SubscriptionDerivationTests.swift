import Foundation
import ReceiptModels
import Testing

/// The days of these tests, counted from 2020-11-01T00:00:00Z.
private func day(_ number: Double) -> Date {
  Date(timeIntervalSince1970: 1_604_188_800 + number * 86_400)
}

extension PurchaseRecord {
  /// A transaction of original id 100, in group 7.
  fileprivate static func charge(
    _ id: String, _ product: String = "standard.month", from start: Double, to end: Double?,
    change: (inout PurchaseRecord) -> Void = { _ in }
  ) -> PurchaseRecord {
    var record = PurchaseRecord(
      transactionID: id, originalTransactionID: "100", productID: product)
    record.purchaseDate = day(start)
    record.expiresDate = end.map(day)
    record.subscriptionGroupID = "7"
    record.environment = .production
    change(&record)
    return record
  }

  fileprivate func cancelled(on number: Double) -> PurchaseRecord {
    var copy = self
    copy.cancellationDate = day(number)
    return copy
  }

  fileprivate var upgraded: PurchaseRecord {
    var copy = self
    copy.isUpgraded = true
    return copy
  }
}

private func entry(
  _ product: String?, renews: Bool?, of original: String = "100",
  change: (inout RenewalRecord) -> Void = { _ in }
) -> RenewalRecord {
  var renewal = RenewalRecord(originalTransactionID: original)
  renewal.productID = product
  renewal.willRenew = renews
  renewal.environment = .production
  change(&renewal)
  return renewal
}

private func derived(
  _ transactions: [PurchaseRecord], renewals: [RenewalRecord] = [], group: [PurchaseRecord] = []
) -> Subscription? {
  Subscription(
    originalTransactionID: "100", environment: .production, transactions: transactions,
    renewals: renewals, group: group,
    products: ProductMap([
      "standard.month": .init(tier: .standard, cycle: .month),
      "standard.year": .init(tier: .standard, cycle: .year),
      "premium.year": .init(tier: .premium, cycle: .year),
    ]))
}

/// The choice of the latest transaction, and the end of the subscription.
private struct DerivationRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var transactions: [PurchaseRecord]
  var group: [PurchaseRecord] = []
  var latest: String
  var end: Double

  init(
    _ name: String, _ transactions: [PurchaseRecord], group: [PurchaseRecord] = [],
    latest: String, end: Double
  ) {
    testDescription = name
    self.transactions = transactions
    self.group = group
    self.latest = latest
    self.end = end
  }
}

private let rows: [DerivationRow] = [
  // Step 1.
  .init("one", [.charge("1", from: 0, to: 30)], latest: "1", end: 30),
  .init(
    "unknown products are skipped",
    [.charge("1", from: 0, to: 30), .charge("2", "pencil", from: 30, to: 60)], latest: "1", end: 30),
  .init(
    "no expiry, no candidate",
    [
      .charge("1", from: 0, to: 30),
      .charge("2", from: 30, to: nil) { $0.hasUnreadableExpiry = true },
    ], latest: "1", end: 30),
  .init(
    "an expiry that is no moment is none",
    [
      .charge("1", from: 0, to: 30), .charge("2", from: 30, to: .nan),
      .charge("3", from: 30, to: .infinity), .charge("4", from: 30, to: 1e12),
    ], latest: "1", end: 30),
  .init(
    "other original ids and environments are others",
    [
      .charge("1", from: 0, to: 30),
      .charge("2", from: 30, to: 60) { $0.originalTransactionID = "101" },
      .charge("3", from: 60, to: 90) { $0.environment = .sandbox },
    ], latest: "1", end: 30),
  .init(
    "a record without environment is of this one",
    [.charge("1", from: 0, to: 30) { $0.environment = nil }], latest: "1", end: 30),
  // Step 2.
  .init(
    "a refunded renewal is set aside: back to the period before",
    [.charge("1", from: 0, to: 30), .charge("2", from: 30, to: 60).cancelled(on: 35)],
    latest: "1", end: 30),
  .init(
    "a refund of an older period ends nothing",
    [.charge("1", from: 0, to: 30).cancelled(on: 35), .charge("2", from: 30, to: 60)],
    latest: "2", end: 60),
  .init(
    "a year upgraded to a shorter period is set aside",
    [
      .charge("1", "standard.year", from: 0, to: 365).upgraded,
      .charge("2", "premium.year", from: 10, to: 200),
    ], latest: "2", end: 200),
  .init(
    "upgraded counts by its flag, also with a cancellation date",
    [
      .charge("1", "standard.year", from: 0, to: 365).upgraded.cancelled(on: 10),
      .charge("2", "premium.year", from: 10, to: 200),
    ], latest: "2", end: 200),
  // Step 3.
  .init(
    "the greatest expiry", [.charge("9", from: 0, to: 31), .charge("1", from: 20, to: 30)],
    latest: "9", end: 31),
  .init(
    "then the greatest purchase date",
    [.charge("9", from: 0, to: 30), .charge("1", from: 1, to: 30)], latest: "1", end: 30),
  .init(
    "then the greatest id as a number",
    [
      .charge("9", from: 0, to: 30), .charge("10", from: 0, to: 30),
      .charge("0008", from: 0, to: 30),
    ], latest: "10", end: 30),
  .init(
    "a missing purchase date comes before any other",
    [.charge("9", from: 0, to: 30) { $0.purchaseDate = nil }, .charge("1", from: 0, to: 30)],
    latest: "1", end: 30),
  // Step 4.
  .init(
    "only a refunded one: it ends at the refund",
    [.charge("1", from: 0, to: 30).cancelled(on: 12)], latest: "1", end: 12),
  .init(
    "a cancellation after the expiry lengthens nothing",
    [.charge("1", from: 0, to: 30).cancelled(on: 40)], latest: "1", end: 30),
  .init(
    "a cancellation that cannot be read ends at the purchase",
    [.charge("1", from: 3, to: 30) { $0.hasUnreadableCancellation = true }], latest: "1", end: 3),
  .init(
    "of several refunded ones the latest",
    [
      .charge("1", from: 0, to: 30).cancelled(on: 50),
      .charge("2", from: 30, to: 60).cancelled(on: 50),
    ], latest: "2", end: 50),
  .init(
    "rather a cancelled one than an upgraded one that ends later",
    [
      .charge("1", from: 0, to: 12).cancelled(on: 8),
      .charge("2", "standard.year", from: 12, to: 377).upgraded,
    ], latest: "1", end: 8),
  .init(
    "an upgraded one ends with the next purchase of its group, of whatever id and product",
    [.charge("1", from: 0, to: 30).upgraded],
    group: [
      .charge("3", "pencil", from: 12, to: 42) { $0.originalTransactionID = "102" },
      .charge("2", from: 20, to: 42) { $0.originalTransactionID = "101" },
      .charge("4", from: -5, to: 42) { $0.originalTransactionID = "103" },
      .charge("5", from: 5, to: 42) { $0.subscriptionGroupID = "8" },
      .charge("6", from: 6, to: 42) { $0.environment = .sandbox },
      .charge("7", from: 7, to: 42) { $0.subscriptionGroupID = nil },
    ], latest: "1", end: 12),
  .init(
    "an upgraded one with a cancellation date ends there",
    [.charge("1", from: 0, to: 30).upgraded.cancelled(on: 8)],
    group: [.charge("2", from: 12, to: 42) { $0.originalTransactionID = "101" }],
    latest: "1", end: 8),
  .init(
    "an upgraded one without successor ends at its purchase",
    [.charge("1", from: 4, to: 30).upgraded], group: [.charge("1", from: 4, to: 30)],
    latest: "1", end: 4),
  .init(
    "a successor after the expiry lengthens nothing",
    [.charge("1", from: 0, to: 30).upgraded],
    group: [.charge("2", from: 90, to: 120) { $0.originalTransactionID = "101" }],
    latest: "1", end: 30),
  .init(
    "without a group the successor is of the same original id",
    [
      .charge("1", from: 0, to: 30) {
        $0.isUpgraded = true
        $0.subscriptionGroupID = nil
      },
      .charge("2", "pencil", from: 9, to: 12) { $0.subscriptionGroupID = nil },
    ], group: [.charge("3", from: 5, to: 42) { $0.originalTransactionID = "101" }],
    latest: "1", end: 9),
]

@Suite("A subscription of stored transactions")
struct SubscriptionDerivationTests {
  @Test("has the contract's latest and its end, in whatever order", arguments: rows)
  private func latest(row: DerivationRow) throws {
    for transactions in [row.transactions, row.transactions.reversed()] {
      for group in [row.group, row.group.reversed()] {
        let subscription = try #require(derived(transactions, group: group))
        #expect(subscription.lastTransactionID == row.latest)
        #expect(subscription.expiresDate == day(row.end))
      }
    }
  }

  @Test("does not exist without a candidate")
  func none() {
    #expect(derived([]) == nil)
    #expect(derived([.charge("1", "pencil", from: 0, to: 30)]) == nil)
    #expect(derived([.charge("1", from: 0, to: nil)]) == nil)
    #expect(
      derived([.charge("1", from: 0, to: 30) { $0.originalTransactionID = "101" }]) == nil)
  }

  @Test("has product, plan and purchase date of the latest, and nothing of a row")
  func values() {
    let renewal = entry("premium.year", renews: true)
    var expected = Subscription(
      environment: .production, originalTransactionID: "100", lastTransactionID: "2",
      productID: "premium.year", purchaseDate: day(30), expiresDate: day(395), tier: .premium,
      cycle: .year, autoRenewal: true)
    expected.isInUse = false
    #expect(
      derived(
        [.charge("1", from: 0, to: 30), .charge("2", "premium.year", from: 30, to: 395)],
        renewals: [renewal]) == expected)
  }

  @Test("has whole seconds")
  func seconds() throws {
    let half = 0.5 / 86_400
    let subscription = try #require(derived([.charge("1", from: half, to: 30 + half)]))
    #expect(subscription.purchaseDate == day(0))
    #expect(subscription.expiresDate == day(30))
  }

  @Test("never begins in 1970 for want of a purchase date")
  func purchaseDate() throws {
    let first = PurchaseRecord.charge("1", from: 0, to: 30) {
      $0.purchaseDate = nil
      $0.originalPurchaseDate = day(-2)
    }
    #expect(try #require(derived([first])).purchaseDate == day(-2))
    let none = PurchaseRecord.charge("1", from: 0, to: 30) { $0.purchaseDate = nil }
    #expect(try #require(derived([none])).purchaseDate == day(30))
  }

  @Test("is shortened by a refund after a renewal only to the period before, and restored")
  func refundAfterRenewal() throws {
    let first = PurchaseRecord.charge("1", from: 0, to: 30)
    let second = PurchaseRecord.charge("2", from: 30, to: 60)
    let renews = [entry("standard.month", renews: true)]
    let before = try #require(derived([first, second], renewals: renews))
    #expect(before.expiresDate == day(60))
    let refunded = try #require(derived([first, second.cancelled(on: 40)], renewals: renews))
    #expect(refunded.expiresDate == day(30))
    #expect(refunded.lastTransactionID == "1")
    #expect(!refunded.autoRenewal)
    #expect(derived([second, first], renewals: renews) == before)
  }
}

@Suite("Automatic renewal of stored transactions")
struct RenewalDerivationTests {
  static let month = PurchaseRecord.charge("1", from: 0, to: 30)

  @Test("is on by the entry with the same original id and product, and otherwise off")
  func entries() {
    let on: [[RenewalRecord]] = [
      [entry("standard.month", renews: true)],
      [entry("premium.year", renews: false), entry("standard.month", renews: true)],
      [entry("standard.month", renews: true) { $0.environment = nil }],
      [entry("standard.month", renews: true) { $0.autoRenewProductID = "premium.year" }],
    ]
    let off: [[RenewalRecord]] = [
      [], [entry("standard.month", renews: false)], [entry("standard.month", renews: nil)],
      [entry("premium.year", renews: true)], [entry(nil, renews: true)],
      [entry("standard.month", renews: true, of: "101")],
      [entry("standard.month", renews: true) { $0.environment = .sandbox }],
    ]
    for renewals in on {
      #expect(derived([Self.month], renewals: renewals)?.autoRenewal == true)
    }
    for renewals in off {
      #expect(derived([Self.month], renewals: renewals)?.autoRenewal == false)
    }
  }

  @Test("goes by the entry signed last, in whatever order")
  func lastEntry() {
    let entries = [
      entry("standard.month", renews: true) { $0.signedDate = day(1) },
      entry("standard.month", renews: false) { $0.signedDate = day(2) },
    ]
    #expect(derived([Self.month], renewals: entries)?.autoRenewal == false)
    #expect(derived([Self.month], renewals: entries.reversed())?.autoRenewal == false)
  }

  @Test("is off when the transaction with the greatest expiry was cancelled")
  func cancelled() {
    let renews = [entry("standard.month", renews: true)]
    let refunded = PurchaseRecord.charge("2", from: 30, to: 60).cancelled(on: 35)
    #expect(derived([refunded], renewals: renews)?.autoRenewal == false)
    #expect(derived([Self.month, refunded], renewals: renews)?.autoRenewal == false)
    let unreadable = PurchaseRecord.charge("2", from: 30, to: 60) {
      $0.hasUnreadableCancellation = true
    }
    #expect(derived([Self.month, unreadable], renewals: renews)?.autoRenewal == false)
    let older = PurchaseRecord.charge("0", from: -30, to: 0).cancelled(on: 35)
    #expect(derived([Self.month, older], renewals: renews)?.autoRenewal == true)
  }

  @Test("stays on when the greatest expiry was upgraded away")
  func upgraded() {
    let year = PurchaseRecord.charge("1", "standard.year", from: 0, to: 365).upgraded
    let month = PurchaseRecord.charge("2", from: 10, to: 40)
    #expect(
      derived([year, month], renewals: [entry("standard.month", renews: true)])?.autoRenewal
        == true)
  }
}

@Suite("Billing plans of a product")
struct BillingPlanTests {
  private static let products: ProductMap = [
    "reader": Plan("standard", every: .month), "reader:yearly": Plan("premium", every: .year),
    "archive:yearly": Plan("standard", every: .year),
  ]

  private func subscription(_ product: String, _ plan: String?) -> Subscription? {
    Subscription(
      originalTransactionID: "100", environment: .production,
      transactions: [.charge("1", product, from: 0, to: 30) { $0.planID = plan }], renewals: [],
      products: Self.products)
  }

  @Test("a plan that is named decides, and the product itself for all others")
  func choice() {
    for (plan, tier, cycle) in [
      ("yearly", Tier.premium, BillingCycle.year), ("monthly", .standard, .month),
      (nil, .standard, .month), ("", .standard, .month), ("Yearly", .standard, .month),
    ] as [(String?, Tier, BillingCycle)] {
      let found = subscription("reader", plan)
      #expect(found?.tier == tier, "\(plan ?? "none")")
      #expect(found?.cycle == cycle, "\(plan ?? "none")")
    }
  }

  @Test("a product of which only a plan is named is unknown without it")
  func planAlone() {
    #expect(subscription("archive", "yearly")?.cycle == .year)
    #expect(subscription("archive", "monthly") == nil)
    #expect(subscription("archive", nil) == nil)
  }

  @Test("Apple's plan is read from a signed transaction")
  func apple() throws {
    for (member, plan) in [
      (#","billingPlanType":"MONTHLY""#, "MONTHLY"),
      (#","billingPlanType":"BILLED_UPFRONT""#, "BILLED_UPFRONT"), ("", nil),
    ] as [(String, String?)] {
      let ids = #""transactionId":"1","originalTransactionId":"1","productId":"reader""#
      let text = "{\(ids)\(member)}"
      let transaction = try Transaction(parsing: Array(text.utf8))
      #expect(PurchaseRecord(transaction)?.planID == plan)
    }
  }
}
