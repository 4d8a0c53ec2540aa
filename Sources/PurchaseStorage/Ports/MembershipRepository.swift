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
