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
    try unit.writing(Recorded(value: notification, date: now)) { $0.notifications.add($1) }
  }

  func isSeen(notificationKey: String) throws -> Bool {
    try StoredText.check("key", notificationKey, .notificationKey)
    return try unit.reading { $0.notifications[RowKey(notificationKey)] != nil }
  }

  func latestNotificationDate(environment: AppStoreEnvironment) throws -> Date? {
    try unit.reading { tables in
      tables.notifications.page { $0.value.environment == environment }.map(\.date).max()
    }
  }

  func keep(_ notification: KeptNotification) throws {
    try unit.writing(notification) { _ = $0.keptNotifications.add($1) }
  }

  func keptNotifications(after key: String?, limit: Int) throws -> [KeptNotification] {
    try unit.reading { $0.keptNotifications.page(after: key.map { RowKey($0) }, limit: limit) }
  }

  func removeKeptNotification(key: String) throws {
    try unit.writing { $0.keptNotifications[RowKey(key)] = nil }
  }
}

extension NotificationRecord: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(key) }
}

extension KeptNotification: StoredRow, KeyedRow {
  var rowKey: RowKey { RowKey(key) }

  var stored: KeptNotification {
    var row = self
    row.receivedDate = receivedDate.inSeconds
    return row
  }
}
