internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Notifications, in memory.
struct MemoryNotifications: NotificationRepository {
  let unit: MemoryUnit

  func record(notification: NotificationRecord, now: Date) throws -> Bool {
    try notification.checkTexts()
    let key = Array(notification.key.utf8)
    return try unit.writing { tables in
      guard tables.notifications[key] == nil else { return false }
      tables.notifications[key] = Recorded(
        value: notification, date: StoredMoment.inSeconds(now))
      return true
    }
  }

  func isSeen(notificationKey: String) throws -> Bool {
    try StoredText.check("key", notificationKey, .notificationKey)
    return try unit.reading { $0.notifications[Array(notificationKey.utf8)] != nil }
  }

  func latestNotificationDate(environment: AppStoreEnvironment) throws -> Date? {
    try unit.reading { tables in
      tables.notifications.values.filter { $0.value.environment == environment }.map(\.date).max()
    }
  }

  func keep(_ notification: KeptNotification) throws {
    try notification.checkTexts()
    let key = Array(notification.key.utf8)
    var row = notification
    row.receivedDate = StoredMoment.inSeconds(notification.receivedDate)
    try unit.writing { tables in
      if tables.keptNotifications[key] == nil { tables.keptNotifications[key] = row }
    }
  }

  func keptNotifications(after key: String?, limit: Int) throws -> [KeptNotification] {
    try unit.reading { tables in
      let rows = tables.keptNotifications.values
        .filter { row in key.map { $0.isBefore(row.key) } ?? true }
        .sorted { $0.key.isBefore($1.key) }
      return Array(rows.prefix(max(0, limit)))
    }
  }

  func removeKeptNotification(key: String) throws {
    try unit.writing { $0.keptNotifications[Array(key.utf8)] = nil }
  }
}
