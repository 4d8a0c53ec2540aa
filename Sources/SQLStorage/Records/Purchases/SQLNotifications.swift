internal import PurchaseStorage
internal import ReceiptModels

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct SQLNotifications: NotificationRepository {
  let session: SQLSession

  func record(notification: NotificationRecord, now: Date) async throws -> Bool {
    let values = SQLColumns.notification.values(of: notification, and: .seconds(now))
    let seen = session.kept.rows(of: .findNotification, [.text(notification.key)])
    if let seen {
      if seen.isEmpty { try await session.run(.insertNotification, values) }
      return seen.isEmpty
    }
    return try await session.execute(.recordNotification, values) > 0
  }

  func isSeen(notificationKey: String) async throws -> Bool {
    try await !session.query(.findNotification, [.text(notificationKey)]).isEmpty
  }

  func latestNotificationDate(environment: AppStoreEnvironment) async throws -> Date? {
    try await session.query(.latestNotification, [.environment(environment)])
      .first?.first?.seconds
  }

  func keep(_ notification: KeptNotification) async throws {
    try await session.run(.keepNotification, SQLColumns.kept.values(of: notification))
  }

  func keptNotifications(after key: String?, limit: Int) async throws -> [KeptNotification] {
    try await session.query(
      .keptNotifications, [.text(key ?? ""), .number(max(0, limit))]
    ).map { SQLColumns.kept.row($0) }
  }

  func removeKeptNotification(key: String) async throws {
    try await session.run(.removeKeptNotification, [.text(key)])
  }
}

extension SQLColumns<NotificationRecord> {
  /// The columns of `apple_webhook`, except the date of creation.
  static let notification = SQLColumns(
    NotificationRecord(key: "", environment: .production, notificationType: "")
  ) { row, column in
    column.text("notification_key", &row.key)
    column.environment("environment", &row.environment)
    column.name("original_transaction_id", &row.originalTransactionID)
    column.text("notification_type", &row.notificationType)
    column.name("subtype", &row.subtype)
    column.name("notification_uuid", &row.notificationUUID)
    column.name("auto_renew_product_id", &row.autoRenewProductID)
    column.flag("auto_renew_status", &row.autoRenewStatus)
    column.milliseconds("auto_renew_status_change_date_ms", &row.autoRenewStatusChangeDate)
    column.number("expiration_intent", &row.expirationIntent)
    column.number("response_status", &row.responseStatus)
  }
}

extension SQLColumns<KeptNotification> {
  /// The columns of `apple_undecoded`.
  static let kept = SQLColumns(
    KeptNotification(
      key: "", environment: nil, signedPayload: "", path: "", receivedDate: .distantPast)
  ) { row, column in
    column.text("notification_key", &row.key)
    column.environment("environment", &row.environment)
    column.text("signed_payload", &row.signedPayload)
    column.text("path", &row.path)
    column.seconds("created_utc", &row.receivedDate)
  }
}

extension SQLStatement {
  /// For one that was not recorded; another unit of work that was faster is a duplicate at the end.
  static let insertNotification = SQLStatement(
    "notification_insert",
    SQLColumns.notification.insertion(into: "apple_webhook", and: "created_utc"))

  static let recordNotification = SQLInsertion(insertNotification.sql, key: "notification_key")
    .keepingStored("notification_record")

  static let findNotification = SQLStatement(
    "notification_find", "SELECT 1 FROM apple_webhook WHERE notification_key = $1")

  static let latestNotification = SQLStatement(
    "notification_latest",
    """
    SELECT created_utc FROM apple_webhook WHERE environment = $1
    ORDER BY created_utc DESC LIMIT 1
    """)

  static let keepNotification = SQLInsertion(
    SQLColumns.kept.insertion(into: "apple_undecoded"), key: "notification_key"
  ).keepingStored("undecoded_keep")

  static let keptNotifications = SQLStatement(
    "undecoded_list",
    """
    SELECT \(SQLColumns.kept.list) FROM apple_undecoded
    WHERE notification_key > $1 ORDER BY notification_key LIMIT $2
    """)

  static let removeKeptNotification = SQLStatement(
    "undecoded_remove", "DELETE FROM apple_undecoded WHERE notification_key = $1")
}
