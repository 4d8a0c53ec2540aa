import CreditPolicy
import ReceiptModels
import Testing

@Suite("All cases of news")
struct NoticeProductTests {
  /// The date of the newest event with an effect, beside news of the moment 100.
  private static let lastDates: [Int?] = [nil, 99, 100, 101]

  @Test(
    "keep every invariant", arguments: CreditTransaction.Status.allCases.map(Optional.some) + [nil])
  func product(status: CreditTransaction.Status?) throws {
    var count = 0
    for type in [NotificationType.refund, .revoke, .didFailToRenew, .refundReversed] {
      for last in status == nil ? [nil] : Self.lastDates {
        for balance in [0, 1, 59, 60, 61, Int.max] {
          for round in status == nil ? [0] : [0, 1, 4] {
            let stored = status.map {
              CreditTransaction.stored($0, round: round, last: last.map(moment))
            }
            try check(stored, type: type, balance: balance, last: last)
            count += 1
          }
        }
      }
    }
    #expect(count == (status == nil ? 4 * 6 : 4 * 4 * 6 * 3))
  }

  private func check(
    _ stored: CreditTransaction?, type: NotificationType, balance: Int, last: Int?
  ) throws {
    let scene = "\(type) of \(String(describing: stored)) at \(balance)"
    let refund = try stored.flatMap(refundBooking)
    let decision = try decide(
      .of(type, signed: moment(100)), stored, balance: balance, refund: refund)
    guard last ?? 0 <= 100 else {
      hold(decision == NoticeDecision(.superseded), scene)
      return
    }
    let row = try #require(decision.transaction)
    hold(row.lastEventSignedDate == moment(100), scene)
    // The row keeps its owner, credits and purchase; it has an owner if and only if it was granted.
    hold(row.userID == stored?.userID && row.credits == stored?.credits, scene)
    hold(row.status.wasGranted == (row.userID != nil), scene)
    hold(row.purchase == stored?.purchase ?? .of(), scene)
    // A booking is made if and only if credits are given or taken, and for the owner.
    let isMoving = decision.outcome == .clawedBack || decision.outcome == .restored
    hold((decision.booking != nil) == isMoving, scene)
    hold(decision.booking?.userID == (isMoving ? "u1" : nil), scene)
    hold(isMoving == (row.status != stored?.status && row.status.wasGranted), scene)
    let isReversal = type == .refundReversed
    hold(row.refundRound == (stored?.refundRound ?? 0) + (isMoving && isReversal ? 1 : 0), scene)
    guard let amount = decision.booking?.amount else { return }
    hold(amount == (isReversal ? 60 : -min(60, balance)), scene)
    hold(isReversal || balance + amount >= 0, scene)
    try checkAgain(type, after: decision)
  }

  /// The same news again changes nothing.
  private func checkAgain(_ type: NotificationType, after decision: NoticeDecision) throws {
    for date in [100, 101] {
      let again = try decide(.of(type, signed: moment(date)), decision.transaction)
      hold(again.outcome == .noChange && again.booking == nil, again)
      hold(again.transaction?.status == decision.transaction?.status, again)
    }
  }

  /// The booking of the refund that is open.
  private func refundBooking(of row: CreditTransaction) throws -> LedgerBooking? {
    guard row.status == .refunded else { return nil }
    var before = row
    before.status = .granted
    before.lastEventSignedDate = nil
    return try decide(.of(.refund), before).booking
  }
}
