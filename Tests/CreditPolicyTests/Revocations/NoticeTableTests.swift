import CreditPolicy
import Foundation
import ReceiptModels
import Testing

private typealias Status = CreditTransaction.Status

/// A row of the table in the credit rules, section 6.
struct NoticeRow: Sendable {
  var types: [NotificationType]
  /// The state before; nil if no row is stored.
  var before: [CreditTransaction.Status?]
  var after: CreditTransaction.Status
  var outcome: NoticeOutcome
  /// The amount of the booking at a balance of 100 after a refund of 60, or nil without booking.
  var amount: Int?

  static let all: [NoticeRow] = [
    NoticeRow(
      types: clawbacks, before: [.granted], after: .refunded, outcome: .clawedBack, amount: -60),
    NoticeRow(types: clawbacks, before: [.refunded], after: .refunded, outcome: .noChange),
    NoticeRow(
      types: clawbacks, before: [.revokedPending], after: .revokedPending, outcome: .noChange),
    NoticeRow(types: clawbacks, before: [nil, .open], after: .revokedPending, outcome: .pending),
    NoticeRow(
      types: [.refundReversed], before: [.refunded], after: .granted, outcome: .restored, amount: 60
    ),
    NoticeRow(
      types: [.refundReversed], before: [.revokedPending, nil], after: .open, outcome: .cleared),
    NoticeRow(
      types: [.refundReversed], before: [.granted], after: .granted, outcome: .noChange),
    NoticeRow(types: [.refundReversed], before: [.open], after: .open, outcome: .noChange),
  ]

  private static let clawbacks: [NotificationType] = [.refund, .revoke, .didFailToRenew]
}

/// The decision about news of a type, with the booking of the refund that it may take back.
func decide(
  _ notice: CreditNotice, _ stored: CreditTransaction?, balance: Int = 100,
  refund: LedgerBooking? = nil, further: [LedgerBooking] = [],
  partialRefunds: PartialRefundRule = .whole
) throws -> NoticeDecision {
  let effect = try #require(CreditNotice.effect(of: notice.type))
  let proposal = NoticeProposal(
    notice: notice, effect: effect, stored: stored, partialRefunds: partialRefunds)
  return proposal.decision(balance: balance, refund: refund, further: further)
}

@Suite("News about a transaction")
struct NoticeTableTests {
  @Test("has the effect of the table", arguments: NoticeRow.all)
  func table(row: NoticeRow) throws {
    let refund = try #require(
      try decide(.of(.refund, signed: moment(1)), .stored(.granted)).booking)
    for type in row.types {
      for status in row.before {
        let stored = status.map { CreditTransaction.stored($0) }
        let notice = CreditNotice.of(type)
        let decision = try decide(notice, stored, refund: refund)
        #expect(decision.outcome == row.outcome)
        #expect(decision.booking?.amount == row.amount)
        var expected = stored ?? CreditTransaction(.of(), status: row.after)
        expected.status = row.after
        expected.lastEventSignedDate = notice.signedDate
        if row.outcome == .restored { expected.refundRound = 1 }
        #expect(decision.transaction == expected)
      }
    }
  }

  @Test("covers every state under every type with an effect")
  func complete() {
    var cases: Set<String> = []
    for row in NoticeRow.all {
      for type in row.types {
        for status in row.before { cases.insert("\(type) \(status?.rawValue ?? "none")") }
      }
    }
    #expect(cases.count == 4 * (Status.allCases.count + 1))
  }

  @Test("has no effect under other types, known or not")
  func otherTypes() {
    let effective: Set<NotificationType> = [.refund, .revoke, .didFailToRenew, .refundReversed]
    for type in NotificationType.allCases + [NotificationType(rawValue: "INVENTED")] {
      #expect((CreditNotice.effect(of: type) != nil) == effective.contains(type))
    }
    #expect(CreditNotice.clawbackTypes == [.refund, .revoke, .didFailToRenew])
  }

  @Test("takes back nothing under types that the host leaves out, and restores in any case")
  func fewerTypes() {
    let fewer: Set<NotificationType> = [.refund, .revoke]
    #expect(CreditNotice.effect(of: .didFailToRenew, clawbackTypes: fewer) == nil)
    #expect(CreditNotice.effect(of: .refund, clawbackTypes: fewer) == .clawback)
    #expect(CreditNotice.effect(of: .refundReversed, clawbackTypes: []) == .restoration)
    #expect(
      CreditNotice.effect(of: .refundReversed, clawbackTypes: [.refundReversed]) == .restoration)
  }

  @Test("writes a row without user and without revocation date for an unknown transaction")
  func unknown() throws {
    var purchase = CreditPurchase.of()
    purchase.revocationDate = moment(1_700_000_500_000)
    for type in [NotificationType.refund, .refundReversed] {
      let decision = try decide(.of(type, purchase: purchase), nil)
      let row = try #require(decision.transaction)
      #expect(row.userID == nil && row.credits == nil && row.productCode == nil)
      #expect(row.ledgerEventID == nil && row.id == nil)
      #expect(row.purchase == .of())
      #expect(decision.booking == nil)
    }
  }

  @Test(
    "is superseded by newer news, whatever is stored (step 7)", arguments: Status.allCases,
    [NotificationType.refund, .revoke, .didFailToRenew, .refundReversed])
  func superseded(status: CreditTransaction.Status, type: NotificationType) throws {
    let stored = CreditTransaction.stored(status, last: moment(10_001))
    let late = CreditNotice.of(type, signed: moment(10_000))
    #expect(try decide(late, stored) == NoticeDecision(.superseded))
    let refund = try decide(.of(.refund, signed: moment(1)), .stored(.granted)).booking
    // Of the same millisecond, it counts.
    for date in [10_001, 10_002] {
      let decision = try decide(.of(type, signed: moment(date)), stored, refund: refund)
      #expect(decision.outcome != .superseded)
      #expect(decision.transaction?.lastEventSignedDate == moment(date))
    }
  }

  @Test("compares dates in milliseconds, as they are stored")
  func milliseconds() throws {
    let signed = Date(timeIntervalSince1970: 10.000_7)
    let row = try #require(try decide(.of(.refund, signed: signed), nil).transaction)
    #expect(row.lastEventSignedDate == moment(10_001))
    #expect(try decide(.of(.revoke, signed: signed), row).outcome == .noChange)
  }

  @Test("says which records it needs", arguments: [true, false])
  func needs(isLate: Bool) {
    for status in Status.allCases.map(Optional.some) + [nil] {
      let stored = status.map { CreditTransaction.stored($0, last: moment(20)) }
      let isLate = isLate && stored != nil
      let date = moment(isLate ? 19 : 21)
      let clawback = NoticeProposal(
        notice: .of(.refund, signed: date), effect: .clawback, stored: stored)
      #expect(clawback.needsBalance == (!isLate && status == .granted))
      #expect(!clawback.needsRefund)
      let restoration = NoticeProposal(
        notice: .of(.refundReversed, signed: date), effect: .restoration, stored: stored)
      #expect(restoration.needsRefund == (!isLate && status == .refunded))
      #expect(!restoration.needsBalance)
    }
  }
}
