import ReceiptModels

/// How the rows of a proposal stand to each other; it names them and copies none, since a membership
/// costs more to copy than to judge.
///
/// Source: contract on linking, section 1.5.
struct LinkRows {
  /// Under which name of the proposal a row is found.
  enum Name { case accountMembership, subscriptionMembership }

  /// How the account's membership stands to the subscription's.
  enum Standing {
    /// Neither has one (L10a).
    case vacant
    /// Both are the same row (L10b, L10c).
    case same
    /// The subscription's membership is another account's (L11).
    case taken
    /// The account has a membership, but not this subscription's (L12 to L15).
    case different
  }

  /// Where the account's membership is, "FTC side".
  let account: Name?
  /// How it stands to the subscription's, "IAP side".
  let standing: Standing
  /// Whether another row than the account's carries the subscription's id without being paid by Apple.
  let hasStaleHolder: Bool
}

extension LinkProposal {
  /// The two sides, worked out; a row without account and tier is none.
  var rows: LinkRows {
    let hasRow = accountMembership?.isZero == false
    let hasHolder = subscriptionMembership?.isZero == false
    let isHolderIAP = hasHolder && subscriptionMembership?.isIAP(of: subscription) == true
    let isSame = hasRow && hasSameCompoundID
    // Of an account with two rows, the one of the subscription counts.
    if isHolderIAP && !isSame && isHolderOwn {
      return LinkRows(account: .subscriptionMembership, standing: .same, hasStaleHolder: false)
    }
    let account = hasRow ? LinkRows.Name.accountMembership : nil
    if isHolderIAP {
      let standing = isSame && areEqual ? LinkRows.Standing.same : .taken
      return LinkRows(account: account, standing: standing, hasStaleHolder: false)
    }
    if hasRow && accountMembership?.isIAP(of: subscription) == true {
      return LinkRows(account: account, standing: .same, hasStaleHolder: false)
    }
    return LinkRows(
      account: account, standing: hasRow ? .different : .vacant,
      hasStaleHolder: hasHolder && !isSame
        && subscriptionMembership?.carries(subscription.originalTransactionID) == true)
  }

  /// A row of a proposal.
  func row(_ name: LinkRows.Name?) -> Membership? {
    switch name {
    case .accountMembership?: accountMembership
    case .subscriptionMembership?: subscriptionMembership
    case nil: nil
    }
  }

  private var hasSameCompoundID: Bool {
    accountMembership?.compoundID.isSameID(as: subscriptionMembership?.compoundID) == true
  }

  private var isHolderOwn: Bool {
    account.holds(
      ftcID: subscriptionMembership?.ftcID, unionID: subscriptionMembership?.unionID)
  }

  /// Section 1.5, "equal", but for the compound id.
  private var areEqual: Bool {
    accountMembership?.appleSubsID.nonEmpty == subscriptionMembership?.appleSubsID.nonEmpty
      && accountMembership?.stripeSubsID.nonEmpty == subscriptionMembership?.stripeSubsID.nonEmpty
      && accountMembership?.tier == subscriptionMembership?.tier
  }
}
