public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The authority of a request to unlink.
///
/// Source: linking rules, sections 3.1 and 3.2.
public enum UnlinkAuthority: Hashable, Sendable, CaseIterable {
  /// The account owns the subscription; the request of another account is refused.
  case ownership
  /// The caller holds the receipt. Nothing is refused, and with an account only its own rows are
  /// touched.
  case receipt
}

/// A request to unlink an Apple subscription.
///
/// Read and lock the rows in the transaction that carries out the decision.
public struct UnlinkProposal: Hashable, Sendable {
  public var authority: UnlinkAuthority
  /// The account that asks; may be nil if a receipt is the authority.
  public var account: Account?
  public var subscription: Subscription
  /// The row that carries the subscription's original transaction ID; a stale one is never deleted.
  public var subscriptionMembership: Membership?
  public var options: LinkOptions

  /// Creates a proposal.
  public init(
    by authority: UnlinkAuthority = .ownership, account: Account?, subscription: Subscription,
    subscriptionMembership: Membership?, options: LinkOptions = LinkOptions()
  ) {
    self.authority = authority
    self.account = account
    self.subscription = subscription
    self.subscriptionMembership = subscriptionMembership
    self.options = options
  }

  /// Decides by the rules U4 to U12 if ownership is the authority, or else by section 3.2, which
  /// refuses nothing and leaves a second unlink ``LinkOutcome/unchanged``.
  ///
  /// The function is pure. That the subscription is stored (U3) was checked before. Source: linking
  /// rules, section 3.
  public func decision(at now: Date) -> LinkDecision {
    switch authority {
    case .ownership: ownerDecision(at: now)
    case .receipt: receiptDecision(at: now)
    }
  }

  private func ownerDecision(at now: Date) -> LinkDecision {
    guard let owner = account?.primaryID, owner == subscription.owner else {
      return refusal  // U4
    }
    if let row = iapRow, owner != row.primaryID { return refusal }  // U7
    return unlinked(iapRow, archivedFor: owner, at: now)  // U6, U8 to U12
  }

  /// Section 3.2: only the rows of the account, if there is one.
  private func receiptDecision(at now: Date) -> LinkDecision {
    let row = iapRow.flatMap { account?.holds($0) == false ? nil : $0 }
    let owner = subscription.owner.flatMap { owner in
      let isOthers = account.map { owner != $0.primaryID } ?? false
      return isOthers && owner != row?.primaryID ? nil : owner
    }
    guard let accountID = owner ?? row?.accountID else {
      return LinkDecision(outcome: .unchanged, membership: remaining)
    }
    return unlinked(row, archivedFor: accountID, clearsOwner: owner != nil, at: now)
  }

  /// The membership of the subscription; a row with a stale ID doesn't count.
  private var iapRow: Membership? {
    subscriptionMembership.flatMap { $0.isIAP(of: subscription) ? $0 : nil }
  }

  /// The membership of the account that isn't deleted, as far as the proposal tells.
  private var remaining: Membership? {
    subscriptionMembership.flatMap { account?.holds($0) == true ? $0 : nil }
  }

  private var refusal: LinkDecision {
    LinkDecision(outcome: .refuse(.notLinked), membership: remaining)
  }

  /// U5 and U6: the subscription loses its owner; U8 to U12: its membership is deleted too.
  private func unlinked(
    _ row: Membership?, archivedFor accountID: AccountID, clearsOwner: Bool = true, at now: Date
  ) -> LinkDecision {
    let id = subscription.originalTransactionID
    var writes: [LinkWrite] = []
    writes.reserveCapacity(5)
    if clearsOwner { writes.append(.claim(originalTransactionID: id, owner: nil)) }
    if let row { writes += [.snapshot(row, reason: .unlink), .delete(row)] }
    writes.append(.archive(originalTransactionID: id, accountID: accountID))
    if let row, let email = email(about: row, at: now) { writes.append(.email(email)) }
    return LinkDecision(
      outcome: .unlink, writes: writes, membership: row == nil ? remaining : nil)
  }

  /// An e-mail to the account that asks, or else to the account that had the membership.
  private func email(about row: Membership, at now: Date) -> OutboxMessage? {
    (account ?? row.account).map { account in
      OutboxMessage(
        kind: .unlink, account: account,
        originalTransactionID: subscription.originalTransactionID, tier: row.tier,
        expireDate: row.expireDate,
        isAlreadyExpired: row.validity(at: now, options: options).isExpired)
    }
  }
}
