import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension LinkProposal {
  /// Decides by the rules L4a to L15, in their order; the first one that decides ends the list.
  ///
  /// The function is pure. That the account exists (L3) and the subscription is stored (L4) was
  /// checked before. Source: linking rules, sections 2.2 and 6.5.
  public func decision(at now: Date) -> LinkDecision {
    let sides = sides
    guard options.allow(subscription, for: account, at: now) else {  // L4a
      return refusal(.environmentNotAllowed, sides, writes: [])
    }
    let isOwnedByOther = subscription.owner.map { $0 != account.primaryID } ?? false
    if isOwnedByOther, !mayMove(at: now) {  // L5
      return refusal(.linkedToOtherAccount, sides, writes: [dispute])
    }
    if isTokenOfOtherAccount, isOwnedByOther || sides.standing != .same {  // L5a
      return refusal(.accountTokenMismatch, sides, writes: [dispute])
    }
    let isElsewhere = isOwnedElsewhere && subscription.owner == nil && sides.standing != .same
    if isElsewhere, !mayMove(at: now) {  // L5b
      return refusal(.linkedToOtherAccount, sides, writes: [dispute])
    }
    if isOwnedByOther || isElsewhere || sides.standing == .taken && mayMove(at: now) {  // L11a
      return transfer(sides, at: now)
    }
    switch sides.standing {
    case .vacant:  // L10a
      return replacement(of: nil, as: .link, sides, at: now)
    case .same:  // L10b, L10c
      return update(of: row(sides.account))
    case .taken:  // L11
      return refusal(.linkedToOtherAccount, sides, writes: [dispute])
    case .different:  // L12 to L15
      let reason = accountMembership.flatMap { objection(toReplacing: $0, on: CalendarDay(now)) }
      if let reason { return refusal(reason, sides, writes: claim) }
      let outcome = accountMembership?.isIAP == true ? LinkOutcome.switch : .override
      return replacement(of: accountMembership, as: outcome, sides, at: now)
    }
  }
}

// MARK: Writes

extension LinkProposal {
  /// L6: a subscription without owner becomes the account's, together with the outcome.
  ///
  /// An account with a second identifier only can't own one; L11 protects its subscription.
  private var claim: [LinkWrite] {
    var writes: [LinkWrite] = []
    // The maximum number of writes of one decision.
    writes.reserveCapacity(6)
    if subscription.owner == nil, let owner = account.primaryID {
      writes.append(
        .claim(originalTransactionID: subscription.originalTransactionID, owner: owner))
    }
    return writes
  }

  /// L5, L11: the record of the dispute.
  var dispute: LinkWrite {
    .dispute(originalTransactionID: subscription.originalTransactionID, account: account)
  }

  func refusal(
    _ refusal: LinkRefusal, _ sides: LinkSides, writes: [LinkWrite]
  ) -> LinkDecision {
    LinkDecision(outcome: .refuse(refusal), writes: writes, membership: row(sides.account))
  }

  /// L10b: only the claim; L10c: the same row follows the subscription, without e-mail.
  func update(of row: Membership?) -> LinkDecision {
    guard let row, !row.agrees(with: subscription) else {
      return LinkDecision(outcome: .unchanged, writes: claim, membership: row)
    }
    var synced = row
    synced.follow(subscription)
    var writes = claim
    writes.append(.snapshot(row, reason: .link))
    writes.append(.update(synced, previous: row))
    return LinkDecision(outcome: .sync, writes: writes, membership: synced)
  }

  /// L10a, L12c, L14, L15: a first membership, or the replacement of a row.
  ///
  /// The stale ID of another row is cleared first, because the column is unique.
  func replacement(
    of row: Membership?, as outcome: LinkOutcome, _ sides: LinkSides, at now: Date
  ) -> LinkDecision {
    let membership = Membership(
      account: account, subscription: subscription, replacing: row,
      isSecondIDTaken: isSecondIDTaken)
    var writes = claim
    if sides.hasStaleHolder, let stale = subscriptionMembership { clear(stale, &writes) }
    if let row {
      writes.append(.snapshot(row, reason: .link))
      writes.append(.update(membership, previous: row))
    } else {
      writes.append(.insert(membership))
    }
    writes.append(.email(email(about: membership, at: now)))
    return LinkDecision(outcome: outcome, writes: writes, membership: membership)
  }

  private func clear(_ stale: Membership, _ writes: inout [LinkWrite]) {
    var cleared = stale
    cleared.originalTransactionID = nil
    writes.append(.snapshot(stale, reason: .link))
    writes.append(.update(cleared, previous: stale))
  }

  private func email(about membership: Membership, at now: Date) -> OutboxMessage {
    OutboxMessage(
      kind: .link, account: account, originalTransactionID: subscription.originalTransactionID,
      tier: membership.tier, expireDate: membership.expireDate,
      isAlreadyExpired: membership.validity(at: now, options: options).isExpired)
  }
}
