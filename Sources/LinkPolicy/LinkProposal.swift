public import ReceiptModels

/// A request to link an Apple subscription with an account, with all that the decision needs.
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
  public var isUnionIDTaken: Bool = false
  /// Whether another Apple subscription of the account may be replaced.
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
  }
}
