import CreditPolicy
import ReceiptModels
import Testing

/// The invariants of the credit rules, section 5.
extension CreditWorld {
  func checkInvariants(after story: [StoryEvent]) {
    for (user, balance) in balances {
      let own = entries.filter { $0.booking.userID == user }
      hold(balance == own.reduce(0) { $0 + $1.booking.amount }, story)
      hold(balance >= 0, story)
      hold(own.last?.balanceAfter ?? 0 == balance, story)
    }
    let events = entries.map(\.booking.eventID)
    hold(Set(events).count == events.count, story)
    for (id, row) in rows { check(id, row, after: story) }
    // One starter pack for the identity, which a refund does not give back.
    let granted = rows.filter { $0.value.status.wasGranted }.map(\.key)
    hold(granted == [claim].compactMap(\.self), story)
  }

  private func check(_ id: String, _ row: CreditTransaction, after story: [StoryEvent]) {
    let own = entries.filter { $0.transactionID == id }
    let purchases = own.filter { $0.booking.changeType == .purchase }
    let refunds = own.filter { $0.booking.changeType == .refund }
    let reversals = own.filter { $0.booking.changeType == .refundReversal }
    hold(purchases.count <= 1, story)
    hold(purchases.count + refunds.count + reversals.count == own.count, story)
    hold(row.status.wasGranted == (purchases.count == 1), story)
    hold(row.status.wasGranted == (row.userID != nil), story)
    hold(own.allSatisfy { $0.booking.userID == row.userID }, story)
    // At most one refund is open, and the state says whether one is.
    let open = refunds.count - reversals.count
    hold(open == (row.status == .refunded ? 1 : 0), story)
    hold(row.refundRound == reversals.count, story)
    // A refund took the credits that the pack gave, as far as the balance had it.
    let sum = own.reduce(0) { $0 + $1.booking.amount }
    switch row.status {
    case .granted: hold(sum == 60, story)
    case .refunded:
      let shortfall = 60 + (refunds.last?.booking.amount ?? 0)
      hold(sum == shortfall, story)
      hold(shortfall == 0 || refunds.last?.balanceAfter == 0, story)
    case .revokedPending, .open: hold(own.isEmpty, story)
    }
  }
}
