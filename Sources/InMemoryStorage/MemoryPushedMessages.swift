internal import EntitlementPolicy
internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The messages that Google pushed, in memory.
struct MemoryPushedMessages: PushedMessageRepository {
  let unit: MemoryUnit

  func record(_ messageID: String, now: Date) throws -> Bool {
    try StoredText.check(.evidence("messageID"), messageID, .word)
    return try unit.writing { tables in
      guard tables.orders.messages[UniqueText(messageID)] == nil else { return false }
      tables.orders.messages[UniqueText(messageID)] = StoredMoment.inMilliseconds(now)
      return true
    }
  }

  func isRecorded(_ messageID: String) throws -> Bool {
    try unit.reading { $0.orders.messages[UniqueText(messageID)] != nil }
  }

  func remove(before: Date, limit: Int) throws -> Int {
    let before = StoredMoment.inMilliseconds(before)
    return try unit.writing { tables in
      let old = tables.orders.messages.filter { $0.value < before }
        .sorted { ($0.value, $0.key) < ($1.value, $1.key) }.prefix(max(0, limit))
      for (id, _) in old { tables.orders.messages[id] = nil }
      return old.count
    }
  }
}
