public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The record of a notification, without password and receipt.
///
/// Source: `Documentation/rules/linking-rules.md`.
public struct NotificationRecord: Hashable, Sendable {
  /// The key that identifies the notification when it arrives again: at most 255 bytes.
  public var key: String
  public var environment: AppStoreEnvironment
  public var originalTransactionID: String?
  public var notificationType: String
  public var subtype: String?
  /// The App Store's identifier of the notification (version 2).
  public var notificationUUID: String?
  public var autoRenewProductID: String?
  public var autoRenewStatus: Bool?
  public var autoRenewStatusChangeDate: Date?
  public var expirationIntent: Int?
  /// The App Store's status of the receipt (version 1).
  public var responseStatus: Int?

  /// Creates a record with the fields of every notification.
  public init(key: String, environment: AppStoreEnvironment, notificationType: String) {
    self.key = key
    self.environment = environment
    self.notificationType = notificationType
  }
}
