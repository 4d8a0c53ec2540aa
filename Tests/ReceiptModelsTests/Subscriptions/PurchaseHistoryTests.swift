import StorekeeperFixtures
import Foundation
import ReceiptModels
import Testing

@Suite("Histories of purchases")
struct PurchaseHistoryTests {
  @Test(
    "compare identifiers as numbers: the longer is the later",
    arguments: [
      ("9", "10"), ("99", "100"), ("1", "2"), ("2000000909538865", "30000781417036000"), ("8", "9"),
      (String(repeating: "9", count: 63), "1" + String(repeating: "0", count: 63)),
    ])
  func identifiers(smaller: String, larger: String) throws {
    #expect(TransactionIDs.areInOrder(smaller, larger))
    #expect(!TransactionIDs.areInOrder(larger, smaller))
    #expect(!TransactionIDs.areInOrder(larger, larger))
    let records: [PurchaseRecord] = [
      .month(smaller, ends: TestDate.now), .month(larger, ends: TestDate.now),
    ]
    for records in [records, records.reversed()] {
      let histories = PurchaseHistory.histories(of: records, knowledge: .remote)
      #expect(histories.map(\.latest.transactionID) == [larger])
    }
  }

  @Test(
    "take identifiers of 1 to 64 digits",
    arguments: [
      ("1", true), ("0", true), (String(repeating: "7", count: 64), true), ("", false),
      (String(repeating: "7", count: 65), false), ("-1", false), ("1a", false), ("1 ", false),
      ("١", false), ("1.0", false), ("../1", false),
    ])
  func digits(text: String, areDigits: Bool) {
    #expect(TransactionIDs.areDigits(text) == areDigits)
    var transaction = ReceiptTransaction()
    transaction.transactionID = text
    transaction.productID = "p"
    #expect((PurchaseRecord(transaction) != nil) == areDigits)
    transaction.transactionID = "1"
    transaction.originalTransactionID = text
    #expect((PurchaseRecord(transaction) != nil) == areDigits)
    var renewal = PendingRenewal()
    renewal.originalTransactionID = text
    #expect((RenewalRecord(renewal) != nil) == areDigits)
  }

  @Test("are sorted by expiry, then purchase, then identifier, from any order")
  func sorting() throws {
    let sorted: [PurchaseRecord] = [
      .month("3", ends: TestDate.days(3)),
      .month("1", ends: TestDate.days(2)) { $0.purchaseDate = TestDate.days(1) },
      .month("10", ends: TestDate.days(2)), .month("9", ends: TestDate.days(2)),
      .month("8", ends: TestDate.days(2)) { $0.purchaseDate = nil },
      .month("7", ends: nil),
    ]
    print("Order of transactions: STOREKEEPER_SEED=\(SplitMix.seed)")
    var generator = SplitMix(state: SplitMix.seed)
    for _ in 0..<100 {
      let history = try #require(
        PurchaseHistory.histories(
          of: sorted.shuffled(using: &generator), knowledge: .remote
        ).first)
      try #require(history.transactions == sorted, "seed \(SplitMix.seed)")
    }
  }

  @Test("keep one copy of a transaction: the one signed last, else the last one given")
  func copies() throws {
    func record(_ product: String, signed: Date?) -> PurchaseRecord {
      .month(ends: TestDate.now) {
        $0.productID = product
        $0.signedDate = signed
      }
    }
    let cases: [([PurchaseRecord], String)] = [
      ([record("a", signed: nil), record("b", signed: nil)], "b"),
      ([record("a", signed: TestDate.days(2)), record("b", signed: TestDate.days(1))], "a"),
      ([record("a", signed: TestDate.days(1)), record("b", signed: TestDate.days(2))], "b"),
      ([record("a", signed: TestDate.days(1)), record("b", signed: nil)], "a"),
      ([record("a", signed: nil), record("b", signed: TestDate.days(1))], "b"),
    ]
    for (records, product) in cases {
      let history = PurchaseHistory.histories(of: records, knowledge: .remote).first
      #expect(history?.transactions.map(\.productID) == [product])
    }
  }

  @Test("are one for each original identifier and environment, the latest first")
  func grouping() {
    func record(_ id: String, _ original: String, _ place: AppStoreEnvironment) -> PurchaseRecord {
      var record = PurchaseRecord(
        transactionID: id, originalTransactionID: original, productID: "p")
      record.expiresDate = TestDate.days(Double(id.utf8.count))
      record.environment = place
      return record
    }
    func renewal(_ id: String, _ place: AppStoreEnvironment) -> RenewalRecord {
      var renewal = RenewalRecord(originalTransactionID: id)
      renewal.environment = place
      return renewal
    }
    let histories = PurchaseHistory.histories(
      of: [
        record("1", "1", .production), record("22", "1", .production),
        record("333", "333", .production), record("1", "1", .sandbox),
      ], renewals: [renewal("1", .sandbox), renewal("7", .production)], knowledge: .notification)
    #expect(histories.map(\.originalTransactionID) == ["333", "1", "1"])
    #expect(histories.map(\.environment) == [.production, .production, .sandbox])
    #expect(histories.map(\.transactions.count) == [1, 2, 1])
    #expect(histories.map(\.renewals.count) == [0, 0, 1])
    #expect(histories.allSatisfy { $0.knowledge == .notification })
    #expect(PurchaseHistory.histories(of: [PurchaseRecord](), knowledge: .local).isEmpty)
  }

  @Test("take of the renewals signed last the one about the product, else one about none")
  func renewals() throws {
    func renewal(_ product: String?, _ next: String, _ signed: Date?) -> RenewalRecord {
      var renewal = RenewalRecord.entry(renews: true, next: next)
      renewal.productID = product
      renewal.signedDate = signed
      return renewal
    }
    let cases: [([RenewalRecord], String?)] = [
      ([renewal("other", "a", nil), renewal("monthly", "b", nil)], "b"),
      ([renewal("monthly", "a", nil), renewal("other", "b", nil)], "a"),
      ([renewal("other", "a", nil), renewal("third", "b", nil)], nil),
      ([renewal("other", "a", nil), renewal(nil, "b", nil)], "b"),
      ([renewal(nil, "a", nil), renewal("monthly", "b", nil)], "b"),
      ([renewal("monthly", "a", TestDate.days(1)), renewal("other", "b", TestDate.days(2))], nil),
      ([renewal("monthly", "a", nil), renewal("other", "b", TestDate.days(2))], nil),
      ([renewal("other", "a", nil), renewal("monthly", "b", TestDate.days(2))], "b"),
    ]
    for (renewals, pending) in cases {
      let summary = try SubscriptionStateTests.summary([.month(ends: TestDate.days(1))], renewals)
      #expect(summary.pendingProductID == pending)
    }
  }

  @Test("another product's renewal gives no grace, wherever it stands in the list")
  func foreignGrace() throws {
    var other = RenewalRecord.entry(renews: true, retry: true, grace: TestDate.days(5))
    other.productID = "other"
    let own = RenewalRecord.entry(renews: false, intent: .customerCancelled)
    let ended = PurchaseRecord.month(ends: TestDate.days(-1))
    for renewals in [[other, own], [own, other]] {
      let summary = try SubscriptionStateTests.summary([ended], renewals)
      #expect(summary.state == .expired(.customerCancelled))
    }
    let summary = try SubscriptionStateTests.summary([ended], [other])
    #expect(summary.state == .expired(.unknown))
    #expect(summary.renewal == nil)
  }

  @Test("group non-renewing products that only the host tells from those for good")
  func groupsWithDurations() throws {
    let histories = PurchaseHistory.histories(of: [.single()], knowledge: .remote)
    #expect(SubscriptionGroup.groups(of: histories) == [])
    #expect(SubscriptionGroup.groups(of: histories, durations: ["other": .seconds(1)]) == [])
    let durations = ["once": Duration.days(101)]
    let groups = SubscriptionGroup.groups(of: histories, durations: durations)
    #expect(groups.map(\.histories) == [histories])
    #expect(
      groups.map { $0.summary(at: TestDate.now, durations: durations).state }
        == [.active(until: TestDate.days(1))])
  }

  @Test("group by subscription group where it is known")
  func groups() throws {
    func record(
      _ id: String, _ group: String?, _ days: Double, upgraded: Bool = false
    ) -> PurchaseRecord {
      var record = PurchaseRecord(transactionID: id, originalTransactionID: id, productID: id)
      record.expiresDate = TestDate.days(days)
      record.subscriptionGroupID = group
      record.isUpgraded = upgraded
      return record
    }
    let groups = SubscriptionGroup.groups(
      of: PurchaseHistory.histories(
        of: [
          record("1", "g", 9, upgraded: true), record("2", "g", 5), record("3", "h", -1),
          record("4", nil, -2), record("5", nil, -3), .single("6"),
        ], knowledge: .remote))
    #expect(groups.map(\.id) == ["g", "h", nil, nil])
    #expect(groups.map(\.histories.count) == [2, 1, 1, 1])
    let summary = try #require(groups.first).summary(at: TestDate.now)
    #expect(summary.state == .active(until: TestDate.days(5)))
    #expect(try #require(groups.first).summary(at: TestDate.days(6)).productID == "2")
    #expect(groups[1].summary(at: TestDate.now).state == .expired(.unknown))
  }
}
