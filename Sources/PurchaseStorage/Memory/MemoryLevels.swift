internal import EntitlementPolicy

/// The levels that are sold, in memory.
struct MemoryLevels: LevelRepository {
  let unit: MemoryUnit

  func all() throws -> SubscriptionLevels {
    try unit.reading { SubscriptionLevels(stored: $0.orders.levels) }
  }

  func replace(with levels: SubscriptionLevels) throws {
    try unit.writing { $0.orders.levels = levels.all }
  }
}
