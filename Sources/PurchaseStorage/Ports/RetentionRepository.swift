#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Evidence that may be removed when nobody needs it any more.
public enum RetainedKind: String, Hashable, Sendable, CaseIterable {
  /// That Apple sent notifications (table `apple_webhook`).
  case notifications
  /// That receipts were verified (table `apple_verification_session`).
  case sessions
  /// Copies of memberships as they were (table `member_snapshot`).
  case snapshots
}

/// The age of evidence: what is old is removed in small steps, by one worker at a time.
public protocol RetentionRepository {
  /// Gives a worker the removal of a kind for a while.
  ///
  /// - Returns: False if another one has it, and its lease is live.
  func lease(
    _ kind: RetainedKind, now: Date, until: Date, token: String
  ) async throws -> Bool

  /// Gives a lease back that is still ours.
  func giveBack(_ kind: RetainedKind, token: String) async throws

  /// Removes notifications that were recorded before a moment, the oldest first.
  ///
  /// One that comes again after this is new (``EvidenceRepository/record(notification:now:)``).
  ///
  /// - Returns: How many were removed, at most `limit`.
  func removeNotifications(before: Date, limit: Int) async throws -> Int

  /// Removes verifications that were recorded before a moment, the oldest first.
  ///
  /// - Returns: How many were removed, at most `limit`.
  func removeSessions(before: Date, limit: Int) async throws -> Int

  /// Removes copies of memberships that were made before a moment, the oldest first; disputes and
  /// unlinks stay.
  ///
  /// - Returns: How many were removed, at most `limit`.
  func removeSnapshots(before: Date, limit: Int) async throws -> Int
}
