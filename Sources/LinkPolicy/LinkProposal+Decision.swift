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
    let rows = LinkRows(self)
    guard options.allow(subscription) else {  // L4a
      return refusal(.environmentNotAllowed, rows, writes: [])
    }
    if let owner = subscription.owner, !account.ftcID.isSameID(as: owner) {  // L5
      return refusal(.linkedToOtherAccount, rows, writes: [dispute])
    }
    switch rows.standing {
    case .vacant:  // L10a
      return replacement(of: nil, as: .link, rows, at: now)
    case .same(let row):  // L10b, L10c
      return update(of: row)
    case .taken:  // L11
      return refusal(.linkedToOtherAccount, rows, writes: [dispute])
    case .different(let row):  // L12 to L15
      if let objection = objection(toReplacing: row, on: CalendarDay(now)) {
        return refusal(objection, rows, writes: claim)
      }
      return replacement(of: row, as: row.isIAP ? .switch : .override, rows, at: now)
    }
  }
}

// MARK: Writes

extension LinkProposal {
  /// L6: a subscription without owner becomes the account's, with the outcome and never before it.
  ///
  /// An account with WeChat only cannot own one; L11 protects its subscription.
  private var claim: [LinkWrite] {
    guard subscription.owner == nil, let owner = account.ftcID else { return [] }
    return [.claim(originalTransactionID: subscription.originalTransactionID, owner: owner)]
  }

  /// L5, L11: the cheat record.
  private var dispute: LinkWrite {
    .dispute(originalTransactionID: subscription.originalTransactionID, account: account)
  }

  private func refusal(
    _ refusal: LinkRefusal, _ rows: LinkRows, writes: [LinkWrite]
  ) -> LinkDecision {
    LinkDecision(outcome: .refuse(refusal), writes: writes, membership: rows.account)
  }

  /// L10b: nothing but the claim; L10c: the same row follows the subscription, without e-mail.
  private func update(of row: Membership) -> LinkDecision {
    guard !row.agrees(with: subscription) else {
      return LinkDecision(outcome: .unchanged, writes: claim, membership: row)
    }
    var synced = row
    synced.follow(subscription)
    return LinkDecision(
      outcome: .sync,
      writes: claim + [.snapshot(row, reason: .link), .update(synced, previous: row)],
      membership: synced)
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
    if let stale = rows.staleHolder { writes += clearing(stale) }
    if let row {
      writes += [.snapshot(row, reason: .link), .update(membership, previous: row)]
    } else {
      writes.append(.insert(membership))
    }
    writes.append(.email(email(about: membership, at: now)))
    return LinkDecision(outcome: outcome, writes: writes, membership: membership)
  }

  private func clearing(_ stale: Membership) -> [LinkWrite] {
    var cleared = stale
    cleared.appleSubsID = nil
    return [.snapshot(stale, reason: .link), .update(cleared, previous: stale)]
  }

  private func email(about membership: Membership, at now: Date) -> MembershipEmail {
    MembershipEmail(
      kind: .link, account: account, originalTransactionID: subscription.originalTransactionID,
      tier: membership.tier, expireDate: membership.expireDate,
      isAlreadyExpired: membership.validity(at: now, options: options).isExpired)
  }
}
