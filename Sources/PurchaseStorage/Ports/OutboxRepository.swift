public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What is to be told: written with the change that it tells of, delivered afterwards (table
/// `outbox`).
public protocol OutboxRepository {
  /// Adds a message, under a number which no other message ever has.
  ///
  /// The number is greater than those that were given before, but units of work do not end in the order
  /// of their numbers: a message with a smaller one may appear later. So nobody may remember "the last
  /// number seen".
  func add(_ message: OutboxMessage, now: Date) async throws

  /// Gives leases on unsent messages whose next try is reached, oldest first; one with a live lease
  /// is never given.
  ///
  /// Of those whose lease or wait has ended, a store may look at the thousand (or as many as the limit
  /// says) that ended first, as with ``RefreshRepository/lease(_:)``.
  func lease(limit: Int, now: Date, until: Date, token: String) async throws -> [OutboxLease]

  /// Marks a message as sent if the lease is still ours.
  ///
  /// - Returns: False if the lease was lost.
  func markSent(_ lease: OutboxLease, now: Date) async throws -> Bool

  /// Counts a failure and says when to try next, if the lease is still ours.
  ///
  /// - Returns: False if the lease was lost.
  func markFailed(_ lease: OutboxLease, nextTry: Date) async throws -> Bool

  /// Gives a lease back without a try: the message is free at once, with no failure more. Nothing changes
  /// if the lease was lost.
  func giveBack(_ lease: OutboxLease) async throws

  /// Removes messages that were sent before a moment, those sent first first.
  ///
  /// - Returns: How many were removed, at most `limit`.
  func removeSent(before: Date, limit: Int) async throws -> Int

  /// How many messages are not sent.
  func unsentCount() async throws -> Int
}
