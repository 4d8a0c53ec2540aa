public import LinkPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A query of membership history.
public enum MembershipHistoryQuery: Hashable, Sendable {
  case subscription(String)
  /// The events of an account, by either of its identifiers.
  case account(AccountID)
}

/// A recorded event of a membership.
public struct MembershipEvent: Hashable, Sendable {
  /// A kind of event.
  public enum Kind: Hashable, Sendable {
    /// A copy of the row before a change, and the reason for the change.
    case snapshot(Membership, SnapshotReason)
    /// An account claimed a subscription of another account.
    case dispute
    case unlink
  }

  public var kind: Kind
  public var originalTransactionID: String?
  /// The account concerned, by its key.
  public var accountID: AccountID?
  public var date: Date

  /// Creates an event.
  public init(kind: Kind, originalTransactionID: String?, accountID: AccountID?, date: Date) {
    self.kind = kind
    self.originalTransactionID = originalTransactionID
    self.accountID = accountID
    self.date = date
  }
}
