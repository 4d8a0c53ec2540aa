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
    try notification.checkTexts()
    return try await session.execute(.recordNotification, notification.row(now: now)) > 0
  }

  func isSeen(notificationKey: String) async throws -> Bool {
    try StoredText.check("key", notificationKey, .notificationKey)
    return try await !session.query(.findNotification, [.text(notificationKey)]).isEmpty
  }

  func keep(_ notification: KeptNotification) async throws {
    try notification.checkTexts()
    try await session.run(
      .keepNotification,
      [
        .text(notification.key), notification.environment.map { .environment($0) } ?? .null,
        .text(notification.signedPayload), .text(notification.path),
        .seconds(notification.receivedDate),
      ])
  }

  func keptNotifications(after key: String?, limit: Int) async throws -> [KeptNotification] {
    if let key { try StoredText.check("key", key, .notificationKey) }
    return try await session.query(
      .keptNotifications, [.text(key ?? ""), .integer(Int64(max(0, limit)))]
    ).map { row in
      var reader = SQLRowReader(row)
      return KeptNotification(
        key: reader.text(), environment: reader.environmentIfAny(), signedPayload: reader.text(),
        path: reader.text(), receivedDate: reader.seconds() ?? .distantPast)
    }
  }

  func removeKeptNotification(key: String) async throws {
    try StoredText.check("key", key, .notificationKey)
    try await session.run(.removeKeptNotification, [.text(key)])
  }
}

extension NotificationRecord {
  /// The values of `notification_record`, in its order.
  func row(now: Date) -> [SQLValue] {
    [
      .text(key), .environment(environment), .name(originalTransactionID),
      .text(notificationType), .name(subtype), .name(notificationUUID),
      .name(autoRenewProductID), .flag(autoRenewStatus),
      .milliseconds(autoRenewStatusChangeDate), .number(expirationIntent),
      .number(responseStatus), .seconds(now),
    ]
  }
}

extension SQLStatement {
  static let recordNotification = SQLStatement(
    "notification_record",
    """
    INSERT INTO apple_webhook (notification_key, environment, original_transaction_id,
      notification_type, subtype, notification_uuid, auto_renew_product_id,
      auto_renew_status, auto_renew_status_change_date_ms, expiration_intent,
      response_status, created_utc)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT DO NOTHING
    """)

  static let findNotification = SQLStatement(
    "notification_find", "SELECT 1 FROM apple_webhook WHERE notification_key = $1")

  static let keepNotification = SQLStatement(
    "undecoded_keep",
    """
    INSERT INTO apple_undecoded (notification_key, environment, signed_payload, path, created_utc)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT DO NOTHING
    """)

  static let keptNotifications = SQLStatement(
    "undecoded_list",
    """
    SELECT notification_key, environment, signed_payload, path, created_utc FROM apple_undecoded
    WHERE notification_key > $1 ORDER BY notification_key LIMIT $2
    """)

  static let removeKeptNotification = SQLStatement(
    "undecoded_remove", "DELETE FROM apple_undecoded WHERE notification_key = $1")
}
