public import ReceiptModels

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
}
