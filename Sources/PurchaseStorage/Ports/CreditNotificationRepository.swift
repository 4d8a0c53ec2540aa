/// The notifications that were considered for credits, each once (table `apple_notifications`).
public protocol CreditNotificationRepository {
  /// Records a notification.
  ///
  /// - Returns: False if one with the same UUID is stored; that one stays as it is.
  func record(_ notification: CreditNotification) async throws -> Bool

  /// Returns the notification with this UUID, or nil if there is none.
  func find(uuid: String) async throws -> CreditNotification?
}
