#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A kind of evidence that may be removed when it is old.
public enum RetainedKind: String, Hashable, Sendable, CaseIterable {
  case notifications
  /// Records of verified receipts.
  case sessions
  /// Copies of memberships.
  case snapshots
  /// Settled requests for consumption information.
  case consumption
}

/// The removal of old evidence, in small steps, by one worker at a time.
///
/// Copies of memberships are removed by ``MembershipRepository/removeSnapshots(before:limit:)``.
public protocol RetentionRepository {
  /// Leases the removal of a kind to a worker; returns false if another worker has a live lease.
  func lease(
    _ kind: RetainedKind, now: Date, until: Date, token: String
  ) async throws -> Bool

  /// Gives back a lease that this token still holds.
  func giveBack(_ kind: RetainedKind, token: String) async throws

  /// Removes notifications that were recorded before a moment, oldest first, at most `limit`, and returns their
  /// number.
  ///
  /// A notification that arrives again afterwards is new (``NotificationRepository/record(notification:now:)``).
  func removeNotifications(before: Date, limit: Int) async throws -> Int

  /// Removes verifications that were recorded before a moment, oldest first, at most `limit`, and returns their
  /// number.
  func removeSessions(before: Date, limit: Int) async throws -> Int

  /// Removes requests for consumption information that were made before a moment, oldest first, at most `limit`, and
  /// returns their number; those that wait for an answer stay.
  func removeConsumptionCases(before: Date, limit: Int) async throws -> Int
}
