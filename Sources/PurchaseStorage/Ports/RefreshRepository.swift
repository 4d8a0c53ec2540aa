#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The refresh job's leases (table `apple_refresh_lease`), next tries (table `apple_poll_state`) and
/// runs (table `polling_log`).
///
/// Source: contract on linking, section 7.
public protocol RefreshRepository {
  /// Gives leases on subscriptions that are due, earliest expiry first, then by id.
  ///
  /// Due: renewing by itself, expiring before `horizon` or in billing retry, expired not before
  /// `oldest`, next try reached. A row with a live lease is never given, so that no two workers have
  /// the same.
  ///
  /// After an outage many waits have ended at once. A store may look then at the thousand (or as many
  /// as the limit says) that ended first, and leave the others for the next calls, so that a call stays
  /// short; so each of them comes to its turn, but the order holds among those only.
  func lease(_ request: RefreshLeaseRequest) async throws -> [RefreshLease]

  /// Ends a lease that is still ours and says when to try next.
  ///
  /// - Returns: False if the lease was lost; then nothing changed.
  func finish(
    _ lease: RefreshLease, failures: Int, nextTry: Date, error: String?
  ) async throws -> Bool

  /// Gives a lease back without a try.
  func giveBack(_ lease: RefreshLease) async throws

  /// Begins a run.
  ///
  /// - Returns: Its number.
  func beginRun(now: Date) async throws -> Int

  /// Ends a run.
  func endRun(_ number: Int, succeeded: Int, failed: Int, now: Date) async throws

  /// The latest runs, newest first.
  func runs(limit: Int) async throws -> [RefreshRun]
}
