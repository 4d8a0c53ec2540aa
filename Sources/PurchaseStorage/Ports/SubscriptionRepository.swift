public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Subscriptions, one row for each original transaction id.
///
/// Every returned subscription has `isInUse`: whether a membership that is paid by Apple or Google
/// carries its id and belongs to its owner.
public protocol SubscriptionRepository {
  /// Returns the stored rows of these ids, in ascending order of id as text; missing ones are left out.
  ///
  /// In a unit of work that writes, the rows are locked in that order until its end. `isInUse` comes
  /// from rows of memberships, which are not locked; a caller that relies on it finds those as well.
  func find(_ originalTransactionIDs: [String]) async throws -> [StoredSubscription]

  /// Returns the stored rows of these ids, after the missing rows of `new` were inserted as
  /// ``save(_:asOf:now:)`` does; stored rows stay as they are.
  ///
  /// `new` is in ascending order of id as text. A store inserts in this order, before it locks anything.
  /// If another unit of work is inserting the same row, this one waits for its end, and finds that row.
  /// The default finds, saves, and finds again.
  func find(
    _ originalTransactionIDs: [String], inserting new: [Subscription], asOf: Date, now: Date
  ) async throws -> [StoredSubscription]

  /// Inserts the row, or overwrites the App Store's values in it.
  ///
  /// Owner, environment and `createdDate` of a stored row never change. `updatedDate` becomes `now` only
  /// if a value changed; the stamp becomes the later of the stored and the given one.
  func save(_ subscription: Subscription, asOf: Date, now: Date) async throws

  /// Sets the owner of a stored row, or clears it.
  func setOwner(
    _ owner: AccountID?, of originalTransactionID: String, now: Date
  ) async throws

  /// Returns a page of an owner's rows, latest expiry first, then by id as text.
  func list(owner: AccountID, offset: Int, limit: Int) async throws -> SubscriptionPage

  /// Returns the ids and environments of at most `limit` rows behind an id, by id as text; none by default.
  func list(after id: String?, limit: Int) async throws -> [ReceiptCursor]
}

extension SubscriptionRepository {
  /// Returns none.
  public func list(after id: String?, limit: Int) async throws -> [ReceiptCursor] { [] }

  /// Finds, saves the missing rows, and finds again.
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

/// A stored subscription with its stamp.
public struct StoredSubscription: Hashable, Sendable {
  public var subscription: Subscription
  /// The moment as of which the row is true.
  public var asOf: Date

  /// Creates a stored subscription.
  public init(subscription: Subscription, asOf: Date) {
    self.subscription = subscription
    self.asOf = asOf
  }
}

/// A page of a list.
public struct SubscriptionPage: Hashable, Sendable {
  /// The number of rows on all pages.
  public var total: Int
  /// The rows of the page.
  public var subscriptions: [Subscription]

  /// Creates a page.
  public init(total: Int, subscriptions: [Subscription]) {
    self.total = total
    self.subscriptions = subscriptions
  }
}
