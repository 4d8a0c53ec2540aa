import Foundation
import ReceiptModels
import Testing

@Suite("States of subscriptions")
struct SubscriptionStateTests {
  @Test("are those of the contract's table, in any order of the list", arguments: StateRow.all)
  func table(_ row: StateRow) throws {
    for records in [row.records, row.records.reversed()] {
      let summary = try Self.summary(
        records, [row.renewal].compactMap(\.self), row.knowledge, durations: row.durations)
      #expect(summary.state == row.state)
      #expect(summary.isEntitled == row.isEntitled)
      #expect(summary.status == row.status)
      #expect(summary.knowledge == row.knowledge)
      #expect(row.flags(summary))
    }
  }

  @Test("cover every row of the table")
  func rows() {
    let rows = Set(StateRow.all.compactMap { Int($0.row.prefix { $0.isNumber }) })
    #expect(rows == Set(1...21))
  }

  @Test(
    "end at the moment of the expiry",
    arguments: [(-0.001, true), (0, false), (0.001, false)] as [(TimeInterval, Bool)])
  func boundary(offset: TimeInterval, isActive: Bool) throws {
    let end = TestDate.days(10)
    let history = try #require(
      PurchaseHistory.histories(of: [.month(ends: end)], knowledge: .remote).first)
    let state = history.summary(at: end + offset).state
    #expect(state == (isActive ? .active(until: end) : .expired(.unknown)))
  }

  @Test(
    "end at the moment of the grace period's end",
    arguments: [(-0.001, true), (0, false)] as [(TimeInterval, Bool)])
  func graceBoundary(offset: TimeInterval, isInGrace: Bool) throws {
    let grace = TestDate.days(5)
    let history = try #require(
      PurchaseHistory.histories(
        of: [.month(ends: TestDate.days(-1))], renewals: [.entry(retry: true, grace: grace)],
        knowledge: .remote
      ).first)
    let state = history.summary(at: grace + offset).state
    #expect(state == (isInGrace ? .inGracePeriod(until: grace) : .inBillingRetry))
  }

  @Test("a refunded older period does not end a newer one")
  func refundedOlder() throws {
    let summary = try Self.summary([
      .month("1", ends: TestDate.days(-20), change: StateRow.cancelled),
      .month("2", ends: TestDate.days(10)),
    ])
    #expect(summary.state == .active(until: TestDate.days(10)))
    #expect(summary.hasRefundedHistory)
  }

  @Test("a refunded newer period leaves an older one that still runs")
  func refundedNewer() throws {
    let summary = try Self.summary([
      .month("1", ends: TestDate.days(10)),
      .month("2", ends: TestDate.days(40), change: StateRow.cancelled),
    ])
    #expect(summary.state == .active(until: TestDate.days(10)))
    #expect(summary.transaction.transactionID == "1")
  }

  @Test("a refunded newer period is the explanation once the older one ended")
  func refundedNewest() throws {
    let summary = try Self.summary([
      .month("1", ends: TestDate.days(-10)),
      .month("2", ends: TestDate.days(20), change: StateRow.cancelled),
    ])
    #expect(summary.state == .revoked(.refund(.issueInApp)))
  }

  @Test("an upgrade needs no cancellation date, and one with it is no refund")
  func upgrade() throws {
    for isCancelled in [false, true] {
      let summary = try Self.summary([
        .month("2", ends: TestDate.days(20)) {
          $0.isUpgraded = true
          if isCancelled { StateRow.cancelled(&$0) }
        }, .month("1", ends: TestDate.days(-5)),
      ])
      #expect(summary.state == .expired(.unknown))
      #expect(summary.transaction.transactionID == "1")
      #expect(!summary.hasRefundedHistory)
    }
  }

  @Test("a date that cannot be read never entitles")
  func unreadable() throws {
    let expiry = try Self.summary([
      .month(ends: nil) { $0.hasUnreadableExpiry = true }
    ])
    #expect(expiry.state == .expired(.unknown))
    let cancellation = try Self.summary([
      .month(ends: TestDate.days(10)) { $0.hasUnreadableCancellation = true }
    ])
    #expect(cancellation.state == .revoked(.refund(nil)))
    let single = try Self.summary([.single { $0.hasUnreadableCancellation = true }])
    #expect(single.state == .refunded(.refund(nil)))
  }

  @Test(
    "hostile dates decide something without a trap",
    arguments: [
      -1e300, 1e300, .infinity, -.infinity, .nan, 253_402_300_800, -62_135_596_801, 0,
    ] as [TimeInterval])
  func hostileDates(seconds: TimeInterval) throws {
    let date = Date(timeIntervalSince1970: seconds)
    let records: [PurchaseRecord] = [
      .month("1", ends: date), .month("2", ends: TestDate.now), .month("3", ends: date),
    ]
    for record in [records, records.reversed()] {
      let summary = try Self.summary(
        record, [.entry(grace: date)], durations: ["once": .seconds(Int64.min)])
      #expect(summary.originalTransactionID == "1")
      let history = try #require(
        PurchaseHistory.histories(of: record, knowledge: .remote).first)
      let durations = ["monthly": Duration.seconds(Int64.max)]
      #expect(history.summary(at: date, durations: durations).productID == "monthly")
    }
  }

  @Test(
    "an end that is no moment never entitles, and hides no other",
    arguments: [
      1e300, -1e300, .infinity, -.infinity, .nan, 253_402_300_800, -62_135_596_801,
    ] as [TimeInterval])
  func noMoment(seconds: TimeInterval) throws {
    let date = Date(timeIntervalSince1970: seconds)
    let ended = PurchaseRecord.month("1", ends: TestDate.days(-1))
    #expect(
      try Self.summary([.month(ends: date)], [.entry(grace: date)]).state == .expired(.unknown))
    #expect(try Self.summary([ended], [.entry(grace: date)]).state == .expired(.unknown))
    for records in [[ended, .month("2", ends: date)], [.month("2", ends: date), ended]] {
      let summary = try Self.summary(records)
      #expect(summary.state == .expired(.unknown))
      #expect(summary.transaction.transactionID == "1")
    }
    let bought = PurchaseRecord.single { $0.purchaseDate = date }
    #expect(try !Self.summary([bought], durations: ["once": .seconds(1_000_000_000)]).isEntitled)
    let running = PurchaseRecord.month("3", ends: TestDate.days(1))
    let summary = try Self.summary([.month("2", ends: date), running])
    #expect(summary.state == .active(until: TestDate.days(1)))
    #expect(try !Self.summary([.single()], durations: ["once": .seconds(Int64.min)]).isEntitled)
  }

  @Test(
    "the reason of an expiry is Apple's number",
    arguments: [
      (1, .customerCancelled), (2, .billingError), (3, .priceIncrease), (4, .productUnavailable),
      (5, .unknown), (6, .unknown), (0, .unknown), (Int.max, .unknown), (nil, .unknown),
    ] as [(Int?, SubscriptionState.ExpirationReason)])
  func reasons(number: Int?, reason: SubscriptionState.ExpirationReason) {
    #expect(.init(number.map(ExpirationIntent.init)) == reason)
  }

  static func summary(
    _ records: [PurchaseRecord], _ renewals: [RenewalRecord] = [],
    _ knowledge: SubscriptionKnowledge = .remote, durations: [String: Duration] = [:]
  ) throws -> SubscriptionSummary {
    let histories = PurchaseHistory.histories(
      of: records, renewals: renewals, knowledge: knowledge)
    #expect(histories.count == 1)
    return try #require(histories.first).summary(at: TestDate.now, durations: durations)
  }
}
