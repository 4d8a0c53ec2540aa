public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// That Apple sent a notification; without password and receipt.
///
/// Source: contract on linking, sections 4.6 and 5, `apple_webhook`.
public struct NotificationRecord: Hashable, Sendable {
  /// What makes it the same notification when it comes again: at most 255 bytes.
  public var key: String
  /// Where the purchase was made.
  public var environment: AppStoreEnvironment
  /// The subscription it is about, if any.
  public var originalTransactionID: String?
  /// Apple's type.
  public var notificationType: String
  /// Apple's subtype.
  public var subtype: String?
  /// Apple's identifier of the notification (version 2).
  public var notificationUUID: String?
  /// The product that will renew.
  public var autoRenewProductID: String?
  /// Whether it will renew.
  public var autoRenewStatus: Bool?
  /// When that was changed.
  public var autoRenewStatusChangeDate: Date?
  /// Why the subscription ended.
  public var expirationIntent: Int?
  /// Apple's status of the receipt (version 1).
  public var responseStatus: Int?

  /// A record with what every notification has.
  public init(key: String, environment: AppStoreEnvironment, notificationType: String) {
    self.key = key
    self.environment = environment
    self.notificationType = notificationType
  }
}
