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
  /// The environment of the purchase.
  public var environment: AppStoreEnvironment
  /// The subscription, if the notification has one.
  public var originalTransactionID: String?
  /// The App Store's type.
  public var notificationType: String
  /// The App Store's subtype.
  public var subtype: String?
  /// The App Store's identifier of the notification (version 2).
  public var notificationUUID: String?
  /// The product that renews next.
  public var autoRenewProductID: String?
  /// Whether the subscription renews.
  public var autoRenewStatus: Bool?
  /// The date at which `autoRenewStatus` changed.
  public var autoRenewStatusChangeDate: Date?
  /// The App Store's code for the reason of the expiry.
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
