import Foundation
import ReceiptModels
import StorekeeperFixtures
import Testing

/// The days of these tests, counted from 2020-11-01T00:00:00Z.
private func day(_ number: Double) -> Date {
  Date(timeIntervalSince1970: 1_604_188_800 + number * 86_400)
}

private let products = ProductMap([
  "standard.month": .init(tier: .standard, cycle: .month),
  "standard.year": .init(tier: .standard, cycle: .year),
  "premium.month": .init(tier: .premium, cycle: .month),
  "premium.year": .init(tier: .premium, cycle: .year),
])

extension PurchaseRecord {
  fileprivate static func charge(
    _ id: String, _ product: String, from start: Double?, to end: Double,
    cancelled: Double? = nil
  ) -> PurchaseRecord {
    var record = PurchaseRecord(
      transactionID: id, originalTransactionID: "100", productID: product)
    record.purchaseDate = start.map(day)
    record.expiresDate = day(end)
    record.subscriptionGroupID = "7"
    record.environment = .production
    record.productType = .autoRenewableSubscription
    record.cancellationDate = cancelled.map(day)
    return record
  }
}

private func derived(_ records: [PurchaseRecord]) -> Subscription? {
  Subscription(
    originalTransactionID: "100", environment: .production, transactions: records, renewals: [],
    products: products)
}

private func summary(_ records: [PurchaseRecord], at number: Double) throws -> SubscriptionSummary {
  try #require(PurchaseHistory.histories(of: records, knowledge: .notification).first)
    .summary(at: day(number))
}

/// Charges as Apple tells them by notifications of version 2: none has a flag.
private struct SupersededRow: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var records: [PurchaseRecord]
  /// The latest transaction, the end in effect, and the state on a day.
  var latest: String
  var end: Double
  var judgedOn: Double
  var state: SubscriptionState

  init(
    _ name: String, _ records: [PurchaseRecord], latest: String, end: Double, on judgedOn: Double,
    _ state: SubscriptionState
  ) {
    testDescription = name
    self.records = records
    self.latest = latest
    self.end = end
    self.judgedOn = judgedOn
    self.state = state
  }
}

private let rows: [SupersededRow] = [
  .init(
    "a year upgraded to a month of another product ends with the month",
    [
      .charge("1", "standard.year", from: 0, to: 365),
      .charge("2", "premium.month", from: 10, to: 40),
    ], latest: "2", end: 40, on: 41, .expired(.unknown)),
  .init(
    "a crossgrade to another length counts at once",
    [
      .charge("1", "standard.year", from: 0, to: 365),
      .charge("2", "standard.month", from: 10, to: 40),
    ], latest: "2", end: 40, on: 20, .active(until: day(40))),
  .init(
    "an upgrade that was refunded does not bring the old period back",
    [
      .charge("1", "standard.year", from: 0, to: 365),
      .charge("2", "premium.year", from: 10, to: 375, cancelled: 11),
    ], latest: "2", end: 11, on: 12, .revoked(.refund(nil))),
  .init(
    "a downgrade at renewal begins at the expiry and supersedes nothing",
    [
      .charge("1", "premium.month", from: 0, to: 30),
      .charge("2", "standard.month", from: 30, to: 60),
    ], latest: "2", end: 60, on: 31, .active(until: day(60))),
  .init(
    "a downgrade at renewal that was refunded leaves the period before",
    [
      .charge("1", "premium.month", from: 0, to: 30),
      .charge("2", "standard.month", from: 30, to: 60, cancelled: 31),
    ], latest: "1", end: 30, on: 29, .active(until: day(30))),
  .init(
    "a purchase a second before the expiry supersedes",
    [
      .charge("1", "standard.year", from: 0, to: 365),
      .charge("2", "premium.month", from: 364.99999, to: 364.999995, cancelled: 364.999992),
    ], latest: "2", end: 364.999992, on: 364.999995, .revoked(.refund(nil))),
  .init(
    "an overlap of one product is no upgrade",
    [
      .charge("1", "standard.year", from: 0, to: 365),
      .charge("2", "standard.year", from: 300, to: 330),
    ], latest: "1", end: 365, on: 340, .active(until: day(365))),
  .init(
    "two products bought at the same moment supersede neither",
    [
      .charge("1", "standard.year", from: 0, to: 365),
      .charge("2", "premium.month", from: 0, to: 30),
    ], latest: "1", end: 365, on: 40, .active(until: day(365))),
  .init(
    "a product that the host does not know supersedes too",
    [
      .charge("1", "standard.year", from: 0, to: 365),
      .charge("2", "pencil.month", from: 10, to: 40),
    ], latest: "1", end: 10, on: 41, .expired(.unknown)),
  .init(
    "of two upgrades in a row the last one counts",
    [
      .charge("1", "standard.year", from: 0, to: 365),
      .charge("2", "premium.year", from: 10, to: 375),
      .charge("3", "premium.month", from: 20, to: 50),
    ], latest: "3", end: 50, on: 30, .active(until: day(50))),
  .init(
    "going back to the first product supersedes the second, not the first's new period",
    [
      .charge("1", "standard.year", from: 0, to: 365),
      .charge("2", "premium.year", from: 10, to: 375),
      .charge("3", "standard.year", from: 20, to: 385),
    ], latest: "3", end: 385, on: 380, .active(until: day(385))),
  .init(
    "a period of which nobody knows the beginning is not superseded",
    [
      .charge("1", "standard.year", from: nil, to: 365),
      .charge("2", "premium.month", from: 10, to: 40),
    ], latest: "1", end: 365, on: 41, .active(until: day(365))),
]

@Suite("A period superseded by another product")
struct SupersededTests {
  @Test("counts neither in the stored subscription nor in the summary", arguments: rows)
  private func row(row: SupersededRow) throws {
    for records in [row.records, row.records.reversed()] {
      let subscription = try #require(derived(records))
      #expect(subscription.lastTransactionID == row.latest)
      let end = day(row.end).timeIntervalSince1970.rounded(.down)
      #expect(subscription.expiresDate == Date(timeIntervalSince1970: end))
      #expect(try summary(records, at: row.judgedOn).state == row.state)
    }
  }

  @Test("was not yet superseded before the purchase of the other")
  func before() throws {
    let records = rows[0].records
    #expect(try summary(records, at: 9).state == .active(until: day(365)))
    #expect(try summary(records, at: 10).state == .active(until: day(40)))
  }

  @Test("lets renewal follow the charge that counts")
  func renewal() throws {
    var renewal = RenewalRecord(originalTransactionID: "100")
    renewal.productID = "premium.month"
    renewal.willRenew = true
    for (cancelled, renews) in [(nil, true), (Double?.some(11), false)] {
      let subscription = try #require(
        Subscription(
          originalTransactionID: "100", environment: .production,
          transactions: [
            .charge("1", "standard.year", from: 0, to: 365),
            .charge("2", "premium.month", from: 10, to: 40, cancelled: cancelled),
          ], renewals: [renewal], products: products))
      #expect(subscription.autoRenewal == renews)
    }
  }

  /// What the summary says has to be what the stored subscription says: both go by one set of rules.
  @Test("leaves the summary and the stored subscription in agreement, whatever was bought")
  func agreement() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(state: seed)
    let names = ["standard.month", "standard.year", "premium.month", "premium.year"]
    for _ in 0..<2_000 {
      let records = (0..<Int.random(in: 1...5, using: &random)).map { index in
        let start = Double(Int.random(in: 0...20, using: &random) * 10)
        let length = Double(Int.random(in: 1...12, using: &random) * 10)
        var record = PurchaseRecord.charge(
          String(index + 1), names[Int.random(in: 0..<4, using: &random)], from: start,
          to: start + length,
          cancelled: Bool.random(using: &random)
            ? nil : start + Double(Int.random(in: 0...9, using: &random)))
        record.isUpgraded = Int.random(in: 0..<5, using: &random) == 0
        return record
      }
      let subscription = try #require(derived(records), "seed \(seed)")
      // All had begun and all ends are still to come or just reached: the history alone decides.
      let last = records.compactMap(\.purchaseDate).max() ?? day(0)
      let state = try #require(
        PurchaseHistory.histories(of: records, knowledge: .notification).first
      ).summary(at: last).state
      let isKept = records.contains {
        $0.transactionID == subscription.lastTransactionID
          && $0.expiresDate == subscription.expiresDate && !$0.isCancelled && !$0.isUpgraded
      }
      if case .active(let end) = state {
        #expect(end == subscription.expiresDate, "seed \(seed): \(records)")
      } else {
        #expect(!isKept || subscription.expiresDate <= last, "seed \(seed): \(records)")
      }
    }
  }
}

@Suite("A moment in the past")
struct PastMomentTests {
  static let records: [PurchaseRecord] = [
    .charge("1", "standard.month", from: 0, to: 30),
    .charge("2", "standard.month", from: 30, to: 60),
    .charge("3", "premium.year", from: 40, to: 405, cancelled: 50),
  ]

  @Test("shows only what had begun by then")
  func begun() throws {
    #expect(try summary(Self.records, at: 15).state == .active(until: day(30)))
    #expect(try summary(Self.records, at: 30).state == .active(until: day(60)))
    #expect(try summary(Self.records, at: 15).transaction.transactionID == "1")
  }

  @Test("before the first purchase shows nobody who has anything")
  func before() throws {
    let state = try summary(Self.records, at: -1).state
    #expect(state == .expired(.unknown))
    let history = try #require(
      PurchaseHistory.histories(of: Self.records, knowledge: .local).first)
    #expect(!history.hasBegun(at: day(-1)))
    #expect(history.hasBegun(at: day(0)))
  }

  @Test("lists no subscription that was bought later")
  func list() throws {
    var purchase = AppReceipt.Purchase()
    purchase.transactionID = "1"
    purchase.originalTransactionID = "1"
    purchase.productID = "standard.month"
    purchase.purchaseDate = day(0)
    purchase.expiresDate = day(30)
    var receipt = AppReceipt(
      receiptType: .production, bundleID: "com.example.reader", creationDate: day(1))
    receipt.purchases = [purchase]
    #expect(receipt.subscriptions(at: day(-1)).isEmpty)
    #expect(receipt.subscriptions(at: day(0)).map(\.state) == [.active(until: day(30))])
  }

  @Test("does not make a later purchase without an end one's own")
  func owned() throws {
    var record = PurchaseRecord(transactionID: "1", originalTransactionID: "1", productID: "book")
    record.purchaseDate = day(5)
    let history = try #require(PurchaseHistory.histories(of: [record], knowledge: .remote).first)
    #expect(history.summary(at: day(4)).state == .expired(.unknown))
    #expect(history.summary(at: day(5)).state == .owned)
  }
}
