internal import CreditPolicy
internal import PurchaseStorage
internal import ReceiptModels

/// Notifications that were considered for credits, in memory.
struct MemoryCreditNotifications: CreditNotificationRepository {
  let unit: MemoryUnit

  func record(_ notification: CreditNotification) throws -> Bool {
    try notification.checkTexts()
    let key = Array(notification.uuid.utf8)
    return try unit.writing { tables in
      guard tables.credits.notifications[key] == nil else { return false }
      tables.credits.notifications[key] = notification.stored
      return true
    }
  }

  func find(uuid: String) throws -> CreditNotification? {
    try unit.reading { $0.credits.notifications[Array(uuid.utf8)] }
  }
}

extension CreditNotification {
  /// The notification as a later query reads it.
  fileprivate var stored: CreditNotification {
    var row = self
    if subtype?.utf8.isEmpty == true { row.subtype = nil }
    row.signedDate = StoredMoment.inMilliseconds(signedDate)
    row.processedDate = StoredMoment.inMilliseconds(processedDate)
    return row
  }
}
