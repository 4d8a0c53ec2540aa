import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension LinkProposal {
  /// What follows from the rules L4a to L15, in their order; the first that decides ends the list.
  ///
  /// A pure function, with one moment for the whole request. Whether the account exists (L3) and
  /// the subscription is stored (L4) was found out before.
  ///
  /// Source: contract on linking, sections 2.2 and 6.5.
  ///
  /// - Parameter now: The moment of the request.
  /// - Returns: What was decided, and what has to be written.
  public func decision(at now: Date) -> LinkDecision {
    let rows = rows
    guard options.allow(subscription) else {  // L4a
      return refusal(.environmentNotAllowed, rows, writes: [])
    }
    if let owner = subscription.owner, !owner.isSameID(as: account.ftcID) {  // L5
      return refusal(.linkedToOtherAccount, rows, writes: [dispute])
    }
    switch rows.standing {
    case .vacant:  // L10a
      return replacement(of: nil, as: .link, rows, at: now)
    case .same:  // L10b, L10c
      return update(of: row(rows.account))
    case .taken:  // L11
      return refusal(.linkedToOtherAccount, rows, writes: [dispute])
    case .different:  // L12 to L15
      let reason = accountMembership.flatMap { objection(toReplacing: $0, on: CalendarDay(now)) }
      if let reason { return refusal(reason, rows, writes: claim) }
      let outcome = accountMembership?.isIAP == true ? LinkOutcome.switch : .override
      return replacement(of: accountMembership, as: outcome, rows, at: now)
    }
  }
}

// MARK: Writes

extension LinkProposal {
  /// L6: a subscription without owner becomes the account's, with the outcome and never before it.
  ///
  /// An account with WeChat only cannot own one; L11 protects its subscription.
  private var claim: [LinkWrite] {
    var writes: [LinkWrite] = []
    // The most that follow from one decision.
    writes.reserveCapacity(6)
    if subscription.owner == nil, let owner = account.ftcID {
      writes.append(
        .claim(originalTransactionID: subscription.originalTransactionID, owner: owner))
    }
    return writes
  }

  /// L5, L11: the cheat record.
  private var dispute: LinkWrite {
    .dispute(originalTransactionID: subscription.originalTransactionID, account: account)
  }

  private func refusal(
    _ refusal: LinkRefusal, _ rows: LinkRows, writes: [LinkWrite]
  ) -> LinkDecision {
    LinkDecision(outcome: .refuse(refusal), writes: writes, membership: row(rows.account))
  }

  /// L10b: nothing but the claim; L10c: the same row follows the subscription, without e-mail.
  private func update(of row: Membership?) -> LinkDecision {
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

  /// L10a, L12c, L14, L15: a first membership, or another one in the place of a row.
  ///
  /// The stale id of another row goes first, because the column is unique.
  private func replacement(
    of row: Membership?, as outcome: LinkOutcome, _ rows: LinkRows, at now: Date
  ) -> LinkDecision {
    let membership = Membership(
      account: account, subscription: subscription, replacing: row,
      isUnionIDTaken: isUnionIDTaken)
    var writes = claim
    if rows.hasStaleHolder, let stale = subscriptionMembership { clear(stale, &writes) }
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
    cleared.appleSubsID = nil
    writes.append(.snapshot(stale, reason: .link))
    writes.append(.update(cleared, previous: stale))
  }

  private func email(about membership: Membership, at now: Date) -> MembershipEmail {
    MembershipEmail(
      kind: .link, account: account, originalTransactionID: subscription.originalTransactionID,
      tier: membership.tier, expireDate: membership.expireDate,
      isAlreadyExpired: membership.validity(at: now, options: options).isExpired)
  }
}
