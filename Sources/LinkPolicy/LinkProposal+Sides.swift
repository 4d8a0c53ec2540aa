internal import ReceiptModels

/// The relation of the two rows of a proposal.
///
/// It names the rows instead of copying them: a membership costs more to copy than to judge.
/// Source: linking rules, section 1.5.
struct LinkSides {
  /// The name of a row in the proposal.
  enum Name { case accountMembership, subscriptionMembership }

  /// The relation of the account's membership to the subscription's.
  enum Standing {
    /// Neither exists (L10a).
    case vacant
    /// Both are the same row (L10b, L10c).
    case same
    /// The subscription's membership belongs to another account (L11).
    case taken
    /// The account has a membership that isn't this subscription's (L12 to L15).
    case different
  }

  let account: Name?
  /// Its relation to the subscription's membership.
  let standing: Standing
  /// Whether another row than the account's carries the subscription's ID, but isn't paid by Apple.
  let hasStaleHolder: Bool
}

extension LinkProposal {
  /// The two sides; a row without account and level counts as none.
  var sides: LinkSides {
    let hasRow = accountMembership?.isZero == false
    let hasHolder = subscriptionMembership?.isZero == false
    let isHolderIAP = hasHolder && subscriptionMembership?.isIAP(of: subscription) == true
    let isSame = hasRow && hasSameAccountID
    // Of an account with two rows, the one of the subscription counts.
    if isHolderIAP && !isSame && isHolderOwn {
      return LinkSides(account: .subscriptionMembership, standing: .same, hasStaleHolder: false)
    }
    let account = hasRow ? LinkSides.Name.accountMembership : nil
    if isHolderIAP {
      let standing = isSame && areEqual ? LinkSides.Standing.same : .taken
      return LinkSides(account: account, standing: standing, hasStaleHolder: false)
    }
    if hasRow && accountMembership?.isIAP(of: subscription) == true {
      return LinkSides(account: account, standing: .same, hasStaleHolder: false)
    }
    return LinkSides(
      account: account, standing: hasRow ? .different : .vacant,
      hasStaleHolder: hasHolder && !isSame
        && subscriptionMembership?.carries(subscription.originalTransactionID) == true)
  }

  /// Returns a row of the proposal.
  func row(_ name: LinkSides.Name?) -> Membership? {
    switch name {
    case .accountMembership?: accountMembership
    case .subscriptionMembership?: subscriptionMembership
    case nil: nil
    }
  }

  private var hasSameAccountID: Bool {
    guard let id = accountMembership?.accountID else { return false }
    return id == subscriptionMembership?.accountID
  }

  private var isHolderOwn: Bool {
    account.holds(
      primaryID: subscriptionMembership?.primaryID, secondID: subscriptionMembership?.secondID)
  }

  /// Whether both rows have the same subscriptions and level (section 1.5).
  private var areEqual: Bool {
    accountMembership?.originalTransactionID.nonEmpty
      == subscriptionMembership?.originalTransactionID.nonEmpty
      && accountMembership?.details.subscriptionID.nonEmpty
        == subscriptionMembership?.details.subscriptionID.nonEmpty
      && accountMembership?.tier == subscriptionMembership?.tier
  }
}

extension String? {
  /// The text, or nil if it is empty.
  fileprivate var nonEmpty: String? { self?.utf8.isEmpty == false ? self : nil }
}
