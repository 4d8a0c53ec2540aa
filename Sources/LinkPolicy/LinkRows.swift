import ReceiptModels

/// The rows of a proposal, and how they stand to each other.
///
/// Source: contract on linking, section 1.5.
struct LinkRows {
  /// How the account's membership stands to the subscription's.
  enum Standing {
    /// Neither has one (L10a).
    case vacant
    /// Both are the same row (L10b, L10c).
    case same(Membership)
    /// The subscription's membership is another account's (L11).
    case taken
    /// The account has a membership, but not this subscription's (L12 to L15).
    case different(Membership)
  }

  /// The account's membership, "FTC side".
  let account: Membership?
  /// The subscription's membership, "IAP side".
  let iap: Membership?
  /// Another row than the account's that carries the subscription's id without being paid by Apple.
  let staleHolder: Membership?

  init(_ proposal: LinkProposal) {
    let row = proposal.accountMembership.flatMap { $0.isZero ? nil : $0 }
    let holder = proposal.subscriptionMembership.flatMap { $0.isZero ? nil : $0 }
    let iap = [holder, row].lazy.compactMap(\.self)
      .first { $0.isIAP(of: proposal.subscription) }
    self.iap = iap
    // Of an account with two rows, the one of the subscription counts.
    if let iap, proposal.account.holds(iap), iap.compoundID != row?.compoundID {
      account = iap
    } else {
      account = row
    }
    if let holder, iap == nil, holder.carries(proposal.subscription.originalTransactionID),
      holder.compoundID != row?.compoundID
    {
      staleHolder = holder
    } else {
      staleHolder = nil
    }
  }

  var standing: Standing {
    switch (account, iap) {
    case (nil, nil): .vacant
    case (let account?, let iap?): account.isEqual(to: iap) ? .same(account) : .taken
    case (nil, _?): .taken
    case (let account?, nil): .different(account)
    }
  }
}
