public import JWSVerifier
public import ReceiptModels

/// A page of the notification history.
public struct NotificationPage: Sendable {
  /// The notifications, in no documented order.
  public let notifications: [SentNotification]
  /// The token with which the next page is read.
  public let paginationToken: String?
  public let hasMore: Bool
  public let environment: AppStoreEnvironment
}

/// A notification that Apple sent or tried to send.
public struct SentNotification: Sendable, CustomStringConvertible, CustomReflectable {
  /// The notification with everything signed inside it verified, or the reason that it was refused.
  public let notification: Result<Verified<NotificationContent>, SignedDataFailure>
  /// The compact JWS, as Apple sends it to the webhook.
  public let signedPayload: String
  /// Apple's attempts to send it, which are not signed.
  public let sendAttempts: Unsigned<[SendAttempt]>

  /// The type of the notification, never the token.
  public var description: String {
    switch notification {
    case .success(let verified): "SentNotification(\(verified.payload))"
    case .failure(let failure): "SentNotification(\(failure.name))"
    }
  }

  /// An empty mirror, so that `dump` shows no customer data.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The status of a test notification.
public struct TestNotificationStatus: Sendable {
  public let notification: Verified<NotificationContent>
  /// Apple's attempts to send it, which are not signed.
  public let sendAttempts: Unsigned<[SendAttempt]>
}
