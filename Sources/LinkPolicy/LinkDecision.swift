public import ReceiptModels

/// What was decided about a membership, and what has to be written, all of it or nothing.
public struct LinkDecision: Hashable, Sendable {
  /// What was decided.
  public var outcome: LinkOutcome
  /// What has to be written, in one transaction, in this order.
  public var writes: [LinkWrite]
  /// The membership that results, of the account (link, unlink) or of the subscription (sync); nil if
  /// there is none.
  public var membership: Membership?

  /// A decision.
  public init(outcome: LinkOutcome, writes: [LinkWrite] = [], membership: Membership? = nil) {
    self.outcome = outcome
    self.writes = writes
    self.membership = membership
  }
}

/// What was decided.
public enum LinkOutcome: Hashable, Sendable {
  /// A first membership.
  case link
  /// The same membership, brought up to date.
  case sync
  /// The same membership, which needs no change.
  case unchanged
  /// Another Apple subscription's membership is replaced.
  case `switch`
  /// A membership that Apple does not pay is replaced.
  case override
  /// The subscription belongs to nobody any more.
  case unlink
  /// Nothing but what the refusal asks to be recorded.
  case refuse(LinkRefusal)
}

/// Something that has to be written because of a decision.
public enum LinkWrite: Hashable, Sendable {
  /// The owner of a subscription becomes this `ftcId`, or nobody.
  case claim(originalTransactionID: String, owner: String?)
  /// A new row.
  indirect case insert(Membership)
  /// A row changes in place; the second value is the row before.
  indirect case update(Membership, previous: Membership)
  /// A row goes.
  indirect case delete(Membership)
  /// A copy of a row as it was before.
  indirect case snapshot(Membership, reason: SnapshotReason)
  /// Two accounts wanted one subscription.
  case dispute(originalTransactionID: String, account: Account)
  /// A subscription was unlinked from an account.
  case archive(originalTransactionID: String, ftcID: String)
  /// An e-mail to the owner of the account.
  indirect case email(MembershipEmail)
}
