import CreditPolicy
import JSONValues
import ReceiptModels
import Testing

@Suite("Taking credits back")
struct ClawbackTests {
  @Test(
    "takes what the balance has, and no more",
    arguments: [
      // balance, taken, shortfall
      (160, 60, 0), (61, 60, 0), (60, 60, 0), (59, 59, 1), (25, 25, 35), (1, 1, 59), (0, 0, 60),
      (Int.max, 60, 0),
    ])
  func amounts(balance: Int, taken: Int, shortfall: Int) throws {
    let decision = try decide(.of(.refund), .stored(.granted), balance: balance)
    let booking = try #require(decision.booking)
    #expect(booking.amount == -taken)
    #expect(booking.ext("original_amount") == .integer(60))
    #expect(booking.ext("clawed_back") == .integer(taken))
    #expect(booking.ext("shortfall") == .integer(shortfall))
  }

  @Test("takes the whole original amount, also of a partial refund and of several units")
  func partial() throws {
    var purchase = CreditPurchase.of(.big)
    purchase.quantity = 3
    var notice = CreditNotice.of(.refund, purchase: purchase)
    notice.revocationPercentage = 20_000
    let row = CreditTransaction.stored(.granted, of: "u1", .big, purchase: purchase)
    #expect(try decide(notice, row, balance: 5000).booking?.amount == -1500)
  }

  @Test("takes it from the account stored with the row")
  func owner() throws {
    var notice = CreditNotice.of(.refund)
    notice.purchase.appAccountToken = otherToken
    let booking = try decide(notice, .stored(.granted, of: "u2")).booking
    #expect(booking?.userID == "u2")
  }

  @Test("gives back what the refund took, and no more", arguments: [160, 60, 25, 0])
  func reversal(balance: Int) throws {
    let first = try decide(.of(.refund), .stored(.granted), balance: balance)
    let taken = try #require(first.booking)
    let second = try decide(.of(.refundReversed), first.transaction, balance: 7, refund: taken)
    let booking = try #require(second.booking)
    #expect(booking.amount == min(60, balance))
    #expect(booking.userID == "u1")
    #expect(second.transaction?.status == .granted)
    #expect(second.transaction?.refundRound == 1)
    #expect(second.transaction?.credits == 60)
    #expect(booking.ext("reversed_event_id") == .string(taken.eventID))
    for name in ["original_amount", "clawed_back", "shortfall"] {
      #expect(booking.ext(name) == taken.ext(name))
    }
  }

  @Test("numbers later rounds from 2")
  func rounds() throws {
    var row: CreditTransaction? = .stored(.granted)
    var events: [String] = []
    for round in 1...3 {
      let refunded = try decide(.of(.refund), row)
      let taken = try #require(refunded.booking)
      let proposal = NoticeProposal(
        notice: .of(.refundReversed), effect: .restoration, stored: refunded.transaction)
      #expect(proposal.refundEventID == taken.eventID)
      let restored = proposal.decision(balance: 0, refund: taken)
      let given = try #require(restored.booking)
      #expect(given.ext("reversed_event_id") == .string(taken.eventID))
      #expect(restored.transaction?.refundRound == round)
      row = restored.transaction
      events += [taken.eventID, given.eventID]
    }
    let refund = "payment.apple_iap.refund:2000000900000001"
    let reversal = "payment.apple_iap.refund_reversed:2000000900000001"
    #expect(
      events == [refund, reversal, refund + ":2", reversal + ":2", refund + ":3", reversal + ":3"])
  }

  @Test("changes nothing without the refund's entry")
  func missingRefund() throws {
    let decision = try decide(.of(.refundReversed), .stored(.refunded))
    #expect(decision == NoticeDecision(.noChange))
  }

  @Test("changes nothing about a granted row without owner, number or credits")
  func incomplete() throws {
    let spoilers: [(inout CreditTransaction) -> Void] = [
      { $0.userID = nil }, { $0.id = nil }, { $0.credits = nil },
    ]
    for spoil in spoilers {
      var row = CreditTransaction.stored(.granted)
      spoil(&row)
      #expect(try decide(.of(.refund), row) == NoticeDecision(.noChange))
    }
  }

  @Test("counts rounds up to the greatest number, and does not trap there")
  func greatestRound() throws {
    let last = "payment.apple_iap.refund:2000000900000001:\(Int.max)"
    for round in [Int.max - 1, .max] {
      let refunded = try decide(.of(.refund), .stored(.granted, round: round))
      let taken = try #require(refunded.booking)
      #expect(taken.eventID == last)
      #expect(refunded.transaction?.refundRound == round)
      let restored = try decide(.of(.refundReversed), refunded.transaction, refund: taken)
      #expect(restored.outcome == .restored)
      #expect(restored.transaction?.refundRound == .max)
    }
  }
}

extension LedgerBooking {
  /// A detail of the booking.
  func ext(_ name: String) -> JSONValue? { metadata["ext"]?[name] }
}
