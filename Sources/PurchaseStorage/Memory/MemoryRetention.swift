#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The age of evidence, in memory.
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

  func removeSnapshots(before: Date, limit: Int) throws -> Int {
    try unit.writing { tables in
      let old = tables.events.indices.filter { index in
        guard case .snapshot = tables.events[index].kind else { return false }
        return tables.events[index].date < before
      }
      // Sorting is stable: those of the same second go in the order of recording.
      let removed = old.sorted { tables.events[$0].date < tables.events[$1].date }
        .prefix(max(0, limit))
      for index in removed.sorted(by: >) { tables.events.remove(at: index) }
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
