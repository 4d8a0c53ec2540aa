public import LinkPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Whose history is asked for.
public enum MembershipHistoryQuery: Hashable, Sendable {
  /// All that concerns an Apple subscription.
  case subscription(String)
  /// The events of an account, by either of its identifiers.
  case account(AccountID)
}

/// Something that was recorded about a membership.
public struct MembershipEvent: Hashable, Sendable {
  /// What was recorded.
  public enum Kind: Hashable, Sendable {
    /// The row as it was before a change, and what changed it.
    case snapshot(Membership, SnapshotReason)
    /// An account wanted a subscription that is another's.
    case dispute
    /// A subscription was unlinked.
    case unlink
  }

  /// What was recorded.
  public var kind: Kind
  /// The Apple subscription, if it has one.
  public var originalTransactionID: String?
  /// The account concerned, by its key.
  public var accountID: AccountID?
  /// When.
  public var date: Date

  /// An event.
  public init(kind: Kind, originalTransactionID: String?, accountID: AccountID?, date: Date) {
    self.kind = kind
    self.originalTransactionID = originalTransactionID
    self.accountID = accountID
    self.date = date
  }
}
