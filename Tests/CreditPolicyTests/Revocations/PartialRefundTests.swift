import CreditPolicy
import Foundation
import JSONValues
import ReceiptModels
import Testing

/// Source: credit rules, section 10.
@Suite("Refunds of a part of the price, where the host takes the same share of the credits")
struct PartialRefundTests {
  /// A transaction of 500 credits, and what refunds have taken from an account that has enough.
  private struct Story {
    var row = CreditTransaction.stored(.granted, .big)
    var open: [LedgerBooking] = []
    var balance = 10_000
    var seconds = 0.0

    /// Tells of a refund on a day, of all or of thousandths of a percent.
    mutating func refund(
      _ percentage: Int?, on day: Int?, as type: NotificationType = .refund
    ) throws -> NoticeDecision {
      var notice = CreditNotice.of(type, purchase: .of(.big))
      notice.revocationPercentage = percentage
      notice.purchase.revocationDate = day.map { moment($0 * 86_400_000) }
      return try apply(notice)
    }

    mutating func reverse() throws -> NoticeDecision {
      try apply(.of(.refundReversed, purchase: .of(.big)))
    }

    private mutating func apply(_ notice: CreditNotice) throws -> NoticeDecision {
      seconds += 1
      var notice = notice
      notice.signedDate += seconds
      return try hear(notice)
    }

    mutating func hear(_ notice: CreditNotice) throws -> NoticeDecision {
      let decision = try decide(
        notice, row, balance: balance, refund: open.first, further: Array(open.dropFirst()),
        partialRefunds: .share)
      row = decision.transaction ?? row
      for booking in decision.bookings {
        balance += booking.amount
        open = booking.changeType == .refund ? open + [booking] : []
      }
      return decision
    }
  }

  @Test(
    "takes the share, rounded up to whole credits",
    arguments: [
      (50_000, 250), (20_000, 100), (33_333, 167), (1, 1), (99_999, 500), (99_800, 499),
      (99_801, 500), (200, 1), (201, 2),
      // No percentage of a part.
      (nil, 500), (100_000, 500), (0, 500), (-5, 500), (250_000, 500), (Int.max, 500),
      (Int.min, 500),
    ] as [(Int?, Int)])
  func shares(percentage: Int?, taken: Int) throws {
    var story = Story()
    let decision = try story.refund(percentage, on: 1)
    #expect(decision.outcome == .clawedBack)
    #expect(decision.booking?.amount == -taken)
    #expect(decision.booking?.ext("original_amount") == .integer(500))
    #expect(decision.booking?.ext("clawed_back") == .integer(taken))
    #expect(decision.booking?.ext("shortfall") == .integer(0))
    #expect(decision.transaction?.status == .refunded)
  }

  @Test("takes the share of the greatest number of credits")
  func greatest() throws {
    var row = CreditTransaction.stored(.granted, .big)
    row.credits = .max
    var notice = CreditNotice.of(.refund, purchase: .of(.big))
    notice.revocationPercentage = 99_999
    let booking = try decide(notice, row, balance: .max, partialRefunds: .share).booking
    // 2^63 - 1 is 92233720368547 times 100000 and 75807, of which 99999 parts are 75806.24193.
    #expect(booking?.amount == -(92_233_720_368_547 * 99_999 + 75_807))
  }

  @Test("the rest of a share that the balance lacks is its shortfall")
  func shortfall() throws {
    var story = Story()
    story.balance = 40
    let first = try story.refund(20_000, on: 1)
    #expect(first.booking?.amount == -40)
    #expect(first.booking?.ext("shortfall") == .integer(60))
    story.balance = 1000
    let second = try story.refund(30_000, on: 2)
    #expect(second.booking?.amount == -150)
    #expect(second.booking?.ext("shortfall") == .integer(0))
    #expect(try story.refund(nil, on: 3).booking?.amount == -250)
    let reversal = try story.reverse()
    #expect(reversal.booking?.amount == 40 + 150 + 250)
    #expect(reversal.booking?.ext("clawed_back") == .integer(440))
    #expect(reversal.booking?.ext("shortfall") == .integer(60))
    #expect(reversal.booking?.ext("original_amount") == .integer(500))
  }

  @Test("shares add up to the whole, and no more")
  func sums() throws {
    var story = Story()
    let amounts = try [40_000, 40_000, 40_000, 40_000].enumerated().map { day, percentage in
      try story.refund(percentage, on: day).booking?.amount
    }
    // An entry that takes nothing waits for a reversal of those before it that comes late.
    #expect(amounts == [-200, -200, -100, 0])
    #expect(story.balance == 9500)
    #expect(try story.refund(nil, on: 9).outcome == .noChange)
    #expect(try story.reverse().booking?.amount == 500)
    #expect(story.balance == 10_000)
  }

  /// News of refunds of some thousandths of a percent, and of the reversal of each but the last one, or of each.
  ///
  /// Each was signed an hour after the one before.
  private static func news(_ percentages: [Int?], isLastReversed: Bool) -> [CreditNotice] {
    var news: [CreditNotice] = []
    for (index, percentage) in percentages.enumerated() {
      for type: NotificationType in [.refund, .refundReversed] {
        guard type == .refund || isLastReversed || index < percentages.count - 1 else { continue }
        let hour = Double(news.count + 1) * 3600
        var notice = CreditNotice.of(
          type, signed: moment(1_700_000_600_000) + hour, purchase: .of(.big))
        if type == .refund {
          notice.revocationPercentage = percentage
          notice.purchase.revocationDate = notice.signedDate - 60
        }
        news.append(notice)
      }
    }
    return news
  }

  private static func orders(of count: Int) -> [[Int]] {
    guard count > 0 else { return [[]] }
    return orders(of: count - 1).flatMap { order in
      (0...order.count).map { place in
        var order = order
        order.insert(count - 1, at: place)
        return order
      }
    }
  }

  @Test(
    "refunds and their reversals end the same in whatever order they are told",
    arguments: [
      ([nil, 40_000], false, 200), ([nil, 40_000], true, 0), ([30_000, 40_000], false, 200),
      ([30_000, nil], false, 500), ([60_000, 60_000, 60_000], false, 300),
      ([nil, 60_000, 25_000], false, 125), ([20_000, nil, 30_000], true, 0),
      ([33_333, 33_333, nil], false, 500),
    ] as [([Int?], Bool, Int)])
  func anyOrder(percentages: [Int?], isLastReversed: Bool, taken: Int) throws {
    let news = Self.news(percentages, isLastReversed: isLastReversed)
    for order in Self.orders(of: news.count) {
      var story = Story()
      for index in order { _ = try story.hear(news[index]) }
      #expect(story.balance == 10_000 - taken, "\(order)")
      #expect(story.row.status == (isLastReversed ? .granted : .refunded), "\(order)")
    }
  }

  @Test("a late reversal gives back all, and takes again what came after it, in one decision")
  func lateReversal() throws {
    let news = Self.news([nil, 40_000], isLastReversed: false)
    var story = Story()
    story.balance = 320
    #expect(try story.hear(news[0]).booking?.amount == -320)
    let nothing = try story.hear(news[2])
    #expect(nothing.outcome == .noChange)
    #expect(nothing.booking?.amount == 0)
    let late = try story.hear(news[1])
    #expect(late.outcome == .restored)
    let refund = "payment.apple_iap.refund:2000000900000001"
    let reversal = "payment.apple_iap.refund_reversed:2000000900000001"
    #expect(late.bookings.map(\.eventID) == [reversal, refund + ":2"])
    #expect(late.bookings.map(\.amount) == [320, -200])
    #expect(late.bookings.last?.ext("revocation_percentage") == .integer(40_000))
    #expect(late.bookings.last?.ext("shortfall") == .integer(0))
    #expect(late.transaction?.status == .refunded)
    #expect(late.transaction?.refundRound == 1)
    #expect(late.transaction?.lastEventSignedDate == news[2].signedDate)
    #expect(try story.hear(news[1]).outcome == .superseded)
    #expect(story.balance == 120)
  }

  @Test("events are numbered within the round, and rounds as ever")
  func events() throws {
    var story = Story()
    var events: [String?] = []
    for round in 0..<2 {
      for share in 0..<3 {
        events.append(try story.refund(10_000, on: round * 3 + share).booking?.eventID)
      }
      let reversal = try story.reverse()
      #expect(reversal.booking?.amount == 150)
      #expect(
        reversal.booking?.ext("reversed_event_id") == events[round * 4].map { .string($0) })
      #expect(reversal.transaction?.status == .granted)
      #expect(reversal.transaction?.refundRound == round + 1)
      events.append(reversal.booking?.eventID)
    }
    let refund = "payment.apple_iap.refund:2000000900000001"
    let reversal = "payment.apple_iap.refund_reversed:2000000900000001"
    #expect(
      events == [
        refund, refund + ":1.2", refund + ":1.3", reversal,
        refund + ":2", refund + ":2.2", refund + ":2.3", reversal + ":2",
      ])
    #expect(story.balance == 10_000)
  }

  @Test("news of a refund that is open change nothing, whatever their type")
  func repeated() throws {
    var story = Story()
    _ = try story.refund(10_000, on: 1)
    _ = try story.refund(20_000, on: 2)
    for type: NotificationType in [.refund, .revoke] {
      for day in [1, 2] {
        let decision = try story.refund(10_000, on: day, as: type)
        #expect(decision.outcome == .noChange)
        #expect(decision.booking == nil)
      }
    }
    // A failed renewal has no date of a refund, and is told as often as Apple tries.
    #expect(try story.refund(nil, on: nil, as: .didFailToRenew).booking?.amount == -350)
    #expect(try story.refund(nil, on: nil, as: .didFailToRenew).outcome == .noChange)
  }

  @Test("a host that takes the whole amount adds no share")
  func whole() throws {
    var story = Story()
    _ = try story.refund(10_000, on: 1)
    var notice = CreditNotice.of(.refund, purchase: .of(.big))
    notice.revocationPercentage = 20_000
    notice.purchase.revocationDate = moment(5)
    let proposal = NoticeProposal(notice: notice, effect: .clawback, stored: story.row)
    #expect(!proposal.needsRefund)
    #expect(!proposal.needsBalance)
    let decision = proposal.decision(balance: 9950, refund: nil)
    #expect(decision.outcome == .superseded || decision.outcome == .noChange)
    #expect(decision.booking == nil)
  }
}
