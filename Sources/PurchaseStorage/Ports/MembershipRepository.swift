public import LinkPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Memberships and the history of their changes.
///
/// The unique fields are those of ``StorageFailure/UniqueField``. A write that repeats the value of one
/// throws ``StorageFailure/duplicate(_:)`` with the field: immediately, at a later call, or at the end of
/// the unit of work.
///
/// Unknown words, and a last day that is no date, are kept and read as they are
/// (`Membership.unknownFields`); of a last day followed by a time, the day is read.
public protocol MembershipRepository {
  /// Returns the rows of this account (under either of its ids) and those that carry one of these Apple
  /// subscriptions, stale or not, in ascending order of key.
  ///
  /// In a unit of work that writes, the rows are locked in that order until its end.
  func find(
    account: Account?, appleSubscriptionIDs: [String]
  ) async throws -> [Membership]

  /// Inserts a row, with a new id if it has none, and returns it as stored.
  func insert(_ membership: Membership) async throws -> Membership

  /// Updates in place the row that `previous` was read from, and returns it as stored; it keeps its id, and gets the
  /// key of `membership`.
  ///
  /// Identifiers and words that `previous` has too may be texts of earlier programs.
  ///
  /// - Throws: ``StorageFailure/conflict`` if there is no such row.
  func update(_ membership: Membership, previous: Membership) async throws -> Membership

  /// Deletes the row that the membership was read from.
  ///
  /// - Throws: ``StorageFailure/conflict`` if there is no such row.
  func delete(_ membership: Membership) async throws

  /// Keeps a copy of a row before it is changed or deleted: the row as stored, with its unknown words, or the
  /// given membership if there is no row.
  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) async throws

  /// Records that an account claimed a subscription of another account.
  func recordDispute(
    originalTransactionID: String, account: Account, now: Date
  ) async throws

  /// Records that a subscription was unlinked.
  func recordUnlink(
    originalTransactionID: String, accountID: AccountID, now: Date
  ) async throws

  /// Returns the events of a subscription or an account, oldest first; for people and for tests.
  func history(of query: MembershipHistoryQuery, limit: Int) async throws -> [MembershipEvent]

  /// Returns disputes in ascending order of their numbers.
  func disputes(_ query: DisputeQuery, limit: Int) async throws -> [Dispute]

  /// Removes copies of memberships that were made before a moment, oldest first, at most `limit`, and returns their
  /// number; disputes and unlinks stay.
  func removeSnapshots(before: Date, limit: Int) async throws -> Int
}

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

/// An account's claim to a subscription of another account.
///
/// Source: linking rules, sections 2.2 and 4.6.
public struct Dispute: Hashable, Sendable {
  /// The number of the record, from 1; later records have greater numbers.
  public var number: Int
  public var originalTransactionID: String
  /// The account that claimed it, by its key.
  public var accountID: AccountID
  /// The date of the claim, in whole seconds.
  public var date: Date

  /// Creates a dispute.
  public init(number: Int, originalTransactionID: String, accountID: AccountID, date: Date) {
    self.number = number
    self.originalTransactionID = originalTransactionID
    self.accountID = accountID
    self.date = date
  }
}

/// A query of disputes.
public struct DisputeQuery: Hashable, Sendable {
  /// The subscription that was claimed, or the account that claimed it; nil for all.
  public var subject: MembershipHistoryQuery?
  /// The earliest date of a claim, of which the whole second counts; nil for all.
  public var since: Date?
  /// The number after which the page begins: that of the last dispute of the page before.
  public var number: Int

  /// Creates a query; the number is that of the last dispute of the page before, and 0 for the first page.
  public init(of subject: MembershipHistoryQuery? = nil, since: Date? = nil, after number: Int = 0)
  {
    self.subject = subject
    self.since = since
    self.number = number
  }
}
