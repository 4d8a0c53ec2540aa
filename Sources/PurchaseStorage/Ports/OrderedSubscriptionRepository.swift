public import EntitlementPolicy
public import ReceiptModels

/// The subscriptions of users, one each at most (table `user_subscriptions`).
///
/// Users are opaque texts of 1 to 128 bytes, compared byte by byte as all texts are. A text that no row can
/// have finds nothing.
public protocol OrderedSubscriptionRepository {
  /// Returns the subscription of a user, or nil.
  ///
  /// In a unit of work that writes, the row is locked until its end.
  func find(_ userID: AccountID) async throws -> OrderedSubscription?

  /// Adds the subscription of a user that has none.
  ///
  /// If another unit of work is adding one for the same user, this waits for its end.
  ///
  /// - Returns: Whether it was added; false if the user has one already, which stays.
  /// - Throws: ``StorageFailure/invalidValue(field:)`` for a text that cannot be stored, or another
  ///   failure of the store.
  func add(_ subscription: OrderedSubscription) async throws -> Bool

  /// Replaces the subscription of a user; one that is not stored is added.
  ///
  /// - Throws: ``StorageFailure/invalidValue(field:)`` for a text that cannot be stored, or another
  ///   failure of the store.
  func save(_ subscription: OrderedSubscription) async throws

  /// Removes the subscription of a user.
  ///
  /// - Returns: Whether there was one.
  func remove(_ userID: AccountID) async throws -> Bool

  /// Returns the names of levels that subscriptions have, each once, in ascending order of their bytes.
  ///
  /// In a unit of work that writes, this waits for all others that write and have asked for a subscription, and
  /// holds up further ones until its end.
  func levelNames() async throws -> [String]
}
