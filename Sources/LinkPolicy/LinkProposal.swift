public import ReceiptModels

/// A request to link an Apple subscription with an account, with all that the decision needs.
///
/// The rows have to be read, and locked, in the transaction that executes the decision.
public struct LinkProposal: Hashable, Sendable {
  /// Who asks.
  public var account: Account
  /// What is to be linked, as stored.
  public var subscription: Subscription
  /// The account's row: under its `ftcID`, or else under its `unionID`; if both exist see
  /// ``accountMembership(among:account:subscription:)``.
  public var accountMembership: Membership?
  /// The row that carries the subscription's original transaction id, possibly a stale one.
  public var subscriptionMembership: Membership?
  /// Whether another row than the account's holds the account's union id, which is then not copied.
  ///
  /// Worked out from the rows that are given; of others only the host knows.
  public var isUnionIDTaken: Bool
  /// Whether another Apple subscription of the account may be replaced; current contract only.
  public var force: Bool
  /// The settings.
  public var options: LinkOptions

  /// A proposal.
  public init(
    account: Account, subscription: Subscription, accountMembership: Membership?,
    subscriptionMembership: Membership?, force: Bool = false, options: LinkOptions = LinkOptions()
  ) {
    self.account = account
    self.subscription = subscription
    self.accountMembership = accountMembership
    self.subscriptionMembership = subscriptionMembership
    self.force = force
    self.options = options
    isUnionIDTaken =
      subscriptionMembership.map { row in
        account.unionID?.isSameID(as: row.unionID) == true
          && row.compoundID != accountMembership?.compoundID
      } ?? false
  }

  /// A proposal that picks its rows among these: those of the account, those that hold its union
  /// id, and the one that carries the subscription's id, in any order.
  public init(
    account: Account, subscription: Subscription, rows: [Membership], force: Bool = false,
    options: LinkOptions = LinkOptions()
  ) {
    let own = Self.place(among: rows, account: account, subscription: subscription)
    self.init(
      account: account, subscription: subscription, accountMembership: own.map { rows[$0] },
      subscriptionMembership: Self.subscriptionMembership(
        among: rows, subscription: subscription),
      force: force, options: options)
    guard let unionID = account.unionID else { return }
    isUnionIDTaken = rows.indices.contains { place in
      place != own && unionID.isSameID(as: rows[place].unionID)
    }
  }
}

extension LinkProposal {
  /// The account's row: the one under its `ftcID`, or else the one under its `unionID`; if both
  /// exist, the one that is the membership of the subscription, or else the one under its `ftcID`.
  ///
  /// Source: contract on linking, section 1.5, "FTC side".
  public static func accountMembership(
    among rows: [Membership], account: Account, subscription: Subscription
  ) -> Membership? {
    place(among: rows, account: account, subscription: subscription).map { rows[$0] }
  }

  private static func place(
    among rows: [Membership], account: Account, subscription: Subscription
  ) -> Int? {
    var best: Int?
    for place in rows.indices where account.holds(rows[place]) {
      if rows[place].isIAP(of: subscription) { return place }
      if best == nil || account.ftcID?.isSameID(as: rows[place].ftcID) == true { best = place }
    }
    return best
  }

  /// The row that carries the subscription's original transaction id, possibly a stale one.
  ///
  /// Source: contract on linking, sections 1.5 and 2.1.
  public static func subscriptionMembership(
    among rows: [Membership], subscription: Subscription
  ) -> Membership? {
    rows.indices.first { rows[$0].carries(subscription.originalTransactionID) }.map { rows[$0] }
  }
}
