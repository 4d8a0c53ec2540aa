public import ReceiptModels

/// A request to unlink an Apple subscription.
///
/// The rows have to be read, and locked, in the transaction that executes the decision.
public struct UnlinkProposal: Hashable, Sendable {
  /// Who asks; under the contract of 2019 nil, when a receipt is the authority.
  public var account: Account?
  /// What is to be unlinked, as stored.
  public var subscription: Subscription
  /// The row that carries the subscription's original transaction id, possibly a stale one, which
  /// is never deleted.
  public var subscriptionMembership: Membership?
  /// The settings.
  public var options: LinkOptions

  /// A proposal.
  public init(
    account: Account?, subscription: Subscription, subscriptionMembership: Membership?,
    options: LinkOptions = LinkOptions()
  ) {
    self.account = account
    self.subscription = subscription
    self.subscriptionMembership = subscriptionMembership
    self.options = options
  }
}
