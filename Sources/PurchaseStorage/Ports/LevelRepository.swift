public import EntitlementPolicy

/// The levels that are sold (table `subscription_levels`).
public protocol LevelRepository {
  /// Returns all levels.
  func all() async throws -> SubscriptionLevels

  /// Stores these levels instead of all others.
  ///
  /// Subscriptions keep the name of their level, also if it is no longer there.
  ///
  /// - Throws: A failure of the store.
  func replace(with levels: SubscriptionLevels) async throws
}
