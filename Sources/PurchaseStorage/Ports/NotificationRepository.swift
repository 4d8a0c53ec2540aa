public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The App Store's notifications: recorded once each, or kept for later if they could not be decoded.
public protocol NotificationRepository {
  /// Records a notification (table `apple_webhook`).
  ///
  /// - Returns: False if a notification with the same key is stored; that one stays as it is.
  func record(notification: NotificationRecord, now: Date) async throws -> Bool

  /// Returns whether a notification with this key is stored.
  func isSeen(notificationKey: String) async throws -> Bool

  /// Returns the date at which the latest notification of an environment was recorded, or nil if none is
  /// stored; those that were kept undecoded don't count.
  func latestNotificationDate(environment: AppStoreEnvironment) async throws -> Date?

  /// Keeps a notification that could not be decoded (table `apple_undecoded`); one with the same key
  /// stays as it is.
  func keep(_ notification: KeptNotification) async throws

  /// Returns the kept notifications whose keys come after the given one, in ascending order of the bytes
  /// of the key.
  func keptNotifications(after key: String?, limit: Int) async throws -> [KeptNotification]

  /// Removes a kept notification, if it is stored.
  func removeKeptNotification(key: String) async throws
}
