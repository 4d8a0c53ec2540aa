public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Subscriptions, one row for each original transaction id (table `apple_subscription`).
///
/// Every returned subscription has `isInUse` worked out: whether a membership paid by Apple carries its
/// id and belongs to its owner.
public protocol SubscriptionRepository {
  /// The stored rows of these ids, those that exist, in ascending order of id as text.
  ///
  /// In a unit of work that writes, the rows are locked in that order until its end. `isInUse` comes
  /// from rows of memberships, which are read, not locked: to rely on it, look these up as well.
  func find(_ originalTransactionIDs: [String]) async throws -> [StoredSubscription]

  /// The same, after those of `new` that are not stored were inserted as ``save(_:asOf:now:)`` does;
  /// those that are stored stay as they are.
  ///
  /// `new` is in ascending order of id as text, in which a store inserts, before it locks anything. If
  /// another unit of work is inserting the same row, this one waits for its end, and finds that row. By
  /// itself this finds, saves, and finds again.
  func find(
    _ originalTransactionIDs: [String], inserting new: [Subscription], asOf: Date, now: Date
  ) async throws -> [StoredSubscription]

  /// Inserts the row, or overwrites what Apple says in it.
  ///
  /// Never touches owner, environment and `createdDate` of a stored row. `updatedDate` becomes `now`
  /// only when a value changed; the stamp becomes the later of stored and given.
  func save(_ subscription: Subscription, asOf: Date, now: Date) async throws

  /// Sets the owner of a stored row, or clears it.
  func setOwner(
    _ owner: AccountID?, of originalTransactionID: String, now: Date
  ) async throws

  /// The rows of an owner: latest expiry first, then by id as text; and how many there are in all.
  func list(owner: AccountID, offset: Int, limit: Int) async throws -> SubscriptionPage
}

extension SubscriptionRepository {
  /// Finds, saves what is missing, and finds again.
  public func find(
    _ originalTransactionIDs: [String], inserting new: [Subscription], asOf: Date, now: Date
  ) async throws -> [StoredSubscription] {
    let stored = try await find(originalTransactionIDs + new.map(\.originalTransactionID))
    let known = Set(stored.map(\.subscription.originalTransactionID))
    for subscription in new where !known.contains(subscription.originalTransactionID) {
      try await save(subscription, asOf: asOf, now: now)
    }
    return try await find(originalTransactionIDs)
  }
}

/// A subscription as stored, with Apple's stamp.
public struct StoredSubscription: Hashable, Sendable {
  /// The row.
  public var subscription: Subscription
  /// When Apple said the latest of it.
  public var asOf: Date

  /// A stored subscription.
  public init(subscription: Subscription, asOf: Date) {
    self.subscription = subscription
    self.asOf = asOf
  }
}

/// A part of a list.
public struct SubscriptionPage: Hashable, Sendable {
  /// How many there are in all.
  public var total: Int
  /// The rows of the part.
  public var subscriptions: [Subscription]

  /// A part of a list.
  public init(total: Int, subscriptions: [Subscription]) {
    self.total = total
    self.subscriptions = subscriptions
  }
}
