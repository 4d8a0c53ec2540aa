internal import PurchaseStorage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The removal of old evidence, in memory.
struct MemoryRetention: RetentionRepository {
  let unit: MemoryUnit

  func lease(_ kind: RetainedKind, now: Date, until: Date, token: String) throws -> Bool {
    try StoredText.check("token", token, .token)
    return try unit.writing { tables in
      if let lease = tables.removals[kind], lease.isLive(at: now) { return false }
      tables.removals[kind] = MemoryLease(token: token, until: StoredMoment.inSeconds(until))
      return true
    }
  }

  func giveBack(_ kind: RetainedKind, token: String) throws {
    try unit.writing { tables in
      if tables.removals[kind]?.token == token { tables.removals[kind] = nil }
    }
  }

  func removeNotifications(before: Date, limit: Int) throws -> Int {
    try unit.writing { Self.remove(from: &$0.notifications, before, limit) }
  }

  func removeSessions(before: Date, limit: Int) throws -> Int {
    try unit.writing { Self.remove(from: &$0.sessions, before, limit) }
  }

  func removeConsumptionCases(before: Date, limit: Int) throws -> Int {
    let before = StoredMoment.inMilliseconds(before)
    return try unit.writing { tables in
      let removed = tables.consumption
        .filter { $0.value.state != .waiting && $0.value.requestedDate < before }
        .sorted { $0.value.requestedDate < $1.value.requestedDate }.prefix(max(0, limit))
      for row in removed { tables.consumption[row.key] = nil }
      return removed.count
    }
  }

  private static func remove<Key, Value>(
    from rows: inout [Key: Recorded<Value>], _ before: Date, _ limit: Int
  ) -> Int {
    let removed = rows.filter { $0.value.date < before }
      .sorted { $0.value.date < $1.value.date }.prefix(max(0, limit))
    for row in removed { rows[row.key] = nil }
    return removed.count
  }
}
