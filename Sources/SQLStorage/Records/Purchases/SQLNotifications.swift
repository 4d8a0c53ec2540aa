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
    let values = SQLColumns.notification.values(of: notification) + [.seconds(now)]
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
    ).map { row in
      var kept = KeptNotification(
        key: "", environment: nil, signedPayload: "", path: "", receivedDate: .distantPast)
      SQLColumns.kept.read(row, into: &kept)
      return kept
    }
  }

  func removeKeptNotification(key: String) async throws {
    try await session.run(.removeKeptNotification, [.text(key)])
  }
}

extension SQLColumns<NotificationRecord> {
  /// The columns of `apple_webhook`, except the date of creation.
  static let notification = SQLColumns([
    .text("notification_key", \.key),
    .environment("environment", \.environment),
    .name("original_transaction_id", \.originalTransactionID),
    .text("notification_type", \.notificationType),
    .name("subtype", \.subtype),
    .name("notification_uuid", \.notificationUUID),
    .name("auto_renew_product_id", \.autoRenewProductID),
    .flag("auto_renew_status", \.autoRenewStatus),
    .milliseconds("auto_renew_status_change_date_ms", \.autoRenewStatusChangeDate),
    .number("expiration_intent", \.expirationIntent),
    .number("response_status", \.responseStatus),
  ])
}

extension SQLColumns<KeptNotification> {
  /// The columns of `apple_undecoded`.
  static let kept = SQLColumns([
    .text("notification_key", \.key),
    .environment("environment", \.environment),
    .text("signed_payload", \.signedPayload),
    .text("path", \.path),
    .seconds("created_utc", \.receivedDate),
  ])
}

extension SQLStatement {
  /// For one that was not recorded; another unit of work that was faster is a duplicate at the end.
  static let insertNotification = SQLStatement(
    "notification_insert",
    SQLColumns.notification.insertion(into: "apple_webhook", and: "created_utc"))

  static let recordNotification = SQLStatement(
    "notification_record", "\(insertNotification.sql)\nON CONFLICT DO NOTHING")

  static let findNotification = SQLStatement(
    "notification_find", "SELECT 1 FROM apple_webhook WHERE notification_key = $1")

  static let latestNotification = SQLStatement(
    "notification_latest",
    """
    SELECT created_utc FROM apple_webhook WHERE environment = $1
    ORDER BY created_utc DESC LIMIT 1
    """)

  static let keepNotification = SQLStatement(
    "undecoded_keep",
    """
    \(SQLColumns.kept.insertion(into: "apple_undecoded"))
    ON CONFLICT DO NOTHING
    """)

  static let keptNotifications = SQLStatement(
    "undecoded_list",
    """
    SELECT \(SQLColumns.kept.list) FROM apple_undecoded
    WHERE notification_key > $1 ORDER BY notification_key LIMIT $2
    """)

  static let removeKeptNotification = SQLStatement(
    "undecoded_remove", "DELETE FROM apple_undecoded WHERE notification_key = $1")
}
