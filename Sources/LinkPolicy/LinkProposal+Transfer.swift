internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// Rule L11a: a subscription that another account has moves to the account that shows it.
//
// Source: linking rules, section 2.4.
extension LinkProposal {
  /// Returns whether the host lets the subscription move now.
  func mayMove(at now: Date) -> Bool {
    let grace = options.access == .gracePeriod ? gracePeriodEnd : nil
    // While the store retries a payment, no other account takes it.
    let isLapsed =
      subscription.validity(at: now, options: options).isExpired
      && max(subscription.expiresDate, grace ?? .distantPast) <= now
    return options.transfer.allow(
      subscription.environment, isLapsed: isLapsed, movedAt: transferDates, now: now)
  }

  /// Takes the subscription from the accounts that have it; what stands in the way of this account's own link still
  /// does.
  func transfer(_ sides: LinkSides, at now: Date) -> LinkDecision {
    let own = row(sides.account)
    if sides.standing != .same, let own,
      let reason = objection(toReplacing: own, on: CalendarDay(now))
    {
      return refusal(reason, sides, writes: [dispute])
    }
    let holder = sides.standing == .taken ? subscriptionMembership : nil
    var writes = [
      dispute,
      LinkWrite.claim(
        originalTransactionID: subscription.originalTransactionID, owner: account.primaryID),
    ]
    if let holder { writes += [.snapshot(holder, reason: .transfer), .delete(holder)] }
    var decision =
      sides.standing == .same
      ? update(of: own) : replacement(of: own, as: .transfer, sides, at: now)
    decision.outcome = .transfer
    decision.previousAccounts = previousAccounts(holder)
    decision.writes =
      writes
      + decision.writes.filter { write in
        if case .claim = write { false } else { true }
      }
    return decision
  }

  /// The other accounts that have the subscription: by its membership, by its owner, or by other records.
  private func previousAccounts(_ holder: Membership?) -> [Account] {
    var previous = [holder?.account].compactMap(\.self)
    for id in [subscription.owner, ownerElsewhere].compactMap(\.self)
    where !account.holds(primaryID: id, secondID: id)
      && !previous.contains(where: { $0.isKnown(as: id) })
    {
      previous.append(Account(id: id))
    }
    return previous
  }
}
