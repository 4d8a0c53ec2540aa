import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension UnlinkProposal {
  /// What follows from the rules U4 to U12 of the current contract, or from section 3.2 for 2019,
  /// where nothing is refused and a second unlink is ``LinkOutcome/unchanged``.
  ///
  /// A pure function. Whether the subscription is stored (U3) was found out before.
  ///
  /// Source: contract on linking, section 3.
  ///
  /// - Parameter now: The moment of the request.
  /// - Returns: What was decided, and what has to be written.
  public func decision(at now: Date) -> LinkDecision {
    switch options.contract {
    case .current: currentDecision(at: now)
    case .year2019: decisionOf2019(at: now)
    }
  }

  private func currentDecision(at now: Date) -> LinkDecision {
    guard let ftcID = account?.ftcID, ftcID.isSameID(as: subscription.ftcUserID) else {
      return refusal  // U4
    }
    if let row = iapRow, !ftcID.isSameID(as: row.ftcID) { return refusal }  // U7
    return unlinked(iapRow, archivedFor: ftcID, at: now)  // U6, U8 to U12
  }

  /// Section 3.2: only what is the account's, if there is one.
  private func decisionOf2019(at now: Date) -> LinkDecision {
    let row = iapRow.flatMap { account?.holds($0) == false ? nil : $0 }
    let owner = subscription.owner.flatMap { owner in
      let isOthers = account.map { !owner.isSameID(as: $0.ftcID) } ?? false
      return isOthers && !owner.isSameID(as: row?.ftcID) ? nil : owner
    }
    guard let ftcID = owner ?? row?.compoundID else {
      return LinkDecision(outcome: .unchanged, membership: remaining)
    }
    return unlinked(row, archivedFor: ftcID, clearsOwner: owner != nil, at: now)
  }
}

extension UnlinkProposal {
  /// The subscription's membership; a row with a stale id is none.
  private var iapRow: Membership? {
    subscriptionMembership.flatMap { $0.isIAP(of: subscription) ? $0 : nil }
  }

  /// The account's membership when it is not deleted, as far as the proposal tells.
  private var remaining: Membership? {
    subscriptionMembership.flatMap { account?.holds($0) == true ? $0 : nil }
  }

  private var refusal: LinkDecision {
    LinkDecision(outcome: .refuse(.notLinked), membership: remaining)
  }

  /// U5: the subscription loses its owner; U6: that is all; U8 to U12: its membership goes too.
  private func unlinked(
    _ row: Membership?, archivedFor ftcID: String, clearsOwner: Bool = true, at now: Date
  ) -> LinkDecision {
    let id = subscription.originalTransactionID
    var writes: [LinkWrite] = []
    writes.reserveCapacity(5)
    if clearsOwner { writes.append(.claim(originalTransactionID: id, owner: nil)) }
    if let row { writes += [.snapshot(row, reason: .unlink), .delete(row)] }
    writes.append(.archive(originalTransactionID: id, ftcID: ftcID))
    if let row, let email = email(about: row, at: now) { writes.append(.email(email)) }
    return LinkDecision(
      outcome: .unlink, writes: writes, membership: row == nil ? remaining : nil)
  }

  /// To who asks, or else to who had the membership.
  private func email(about row: Membership, at now: Date) -> MembershipEmail? {
    guard let account = account ?? (try? Account(ftcID: row.ftcID, unionID: row.unionID)) else {
      return nil
    }
    return MembershipEmail(
      kind: .unlink, account: account, originalTransactionID: subscription.originalTransactionID,
      tier: row.tier, expireDate: row.expireDate,
      isAlreadyExpired: row.validity(at: now, options: options).isExpired)
  }
}
