public import LinkPolicy
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Memberships (table `ftc_vip`), and what is recorded about their changes.
///
/// Unique over all rows, besides the compound id: row id, `primaryID`, `secondID`, Stripe subscription,
/// Apple subscription, licence. A write that breaks one throws ``StorageFailure/duplicate(_:)`` with
/// the field: at once, at a later call, or at the end of the unit of work.
///
/// Words that are not known, and a last day that is none, are kept and read as they are
/// (`Membership.unknownFields`); a last day with a time behind it is read by its day.
public protocol MembershipRepository {
  /// The rows of this account (under either of its ids) and those that carry one of these Apple
  /// subscriptions, stale or not, in ascending order of compound id.
  ///
  /// In a unit of work that writes, the rows are locked in that order until its end.
  func find(
    account: Account?, appleSubscriptionIDs: [String]
  ) async throws -> [Membership]

  /// Inserts a row, which gets an id if it has none.
  ///
  /// - Returns: The row as stored.
  func insert(_ membership: Membership) async throws -> Membership

  /// Changes in place the row that `previous` was read from; the row keeps its id, and gets the
  /// compound id of `membership`.
  ///
  /// Only what differs from `previous` is checked.
  ///
  /// - Returns: The row as stored.
  /// - Throws: ``StorageFailure/conflict`` if there is no such row.
  func update(_ membership: Membership, previous: Membership) async throws -> Membership

  /// Deletes the row that the membership was read from.
  ///
  /// - Throws: ``StorageFailure/conflict`` if there is no such row.
  func delete(_ membership: Membership) async throws

  /// Keeps a copy of a row as it was (table `member_snapshot`), before it is changed or deleted: what
  /// is stored, also words that are not known, or else the membership given.
  func snapshot(_ membership: Membership, reason: SnapshotReason, now: Date) async throws

  /// Records that an account wanted a subscription that is another's (table `apple_cheat`).
  func recordDispute(
    originalTransactionID: String, account: Account, now: Date
  ) async throws

  /// Records that a subscription was unlinked (table `apple_unlink_archive`).
  func recordUnlink(
    originalTransactionID: String, accountID: AccountID, now: Date
  ) async throws

  /// What was recorded about a subscription or an account, for people and for tests: the oldest first.
  func history(of query: MembershipHistoryQuery, limit: Int) async throws -> [MembershipEvent]

  /// Removes copies of memberships that were made before a moment, oldest first; disputes and unlinks
  /// stay.
  ///
  /// - Returns: The number of copies removed, at most `limit`.
  func removeSnapshots(before: Date, limit: Int) async throws -> Int
}
