public import JWSVerifier
public import ReceiptModels

/// The notifications that Apple sent or tried to send, page by page as they are asked for.
///
/// Each page is asked for with the same request. When the task is cancelled, no further page is
/// asked for. If a token has expired meanwhile, the pages are read from the first one, so that
/// notifications come again: tell them apart by their `notificationUUID`.
public struct NotificationHistory: AsyncSequence, Sendable {
  /// A page.
  public typealias Element = NotificationPage
  /// The failure of a page.
  public typealias Failure = AppStoreServerFailure

  let first: PageCursor
  let environment: AppStoreEnvironment?
  let read: @Sendable (_ token: String?) async throws(AppStoreServerFailure) -> NotificationPage

  /// Creates an iterator, which reads from the first page.
  public func makeAsyncIterator() -> Iterator { Iterator(history: self) }

  /// An iterator over the pages.
  public struct Iterator: AsyncIteratorProtocol {
    /// A page.
    public typealias Element = NotificationPage
    /// The failure of a page.
    public typealias Failure = AppStoreServerFailure

    private let history: NotificationHistory
    private var cursor: PageCursor

    init(history: NotificationHistory) {
      self.history = history
      cursor = history.first
    }

    /// Returns the next page, or nil after the last one.
    public mutating func next() async throws(AppStoreServerFailure) -> NotificationPage? {
      while true {
        switch cursor.step() {
        case .end: return nil
        case .fail(let reason):
          throw AppStoreServerFailure(reason, of: .notificationHistory, in: history.environment)
        case .read: break
        }
        do throws(AppStoreServerFailure) {
          let page = try await history.read(cursor.next)
          cursor.advance(to: page.paginationToken, hasMore: page.hasMore)
          return page
        } catch {
          guard cursor.mayStartOver(after: error) else { throw error }
        }
      }
    }

    /// Returns the next page, or nil after the last one.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(AppStoreServerFailure) -> NotificationPage? {
      try await next()
    }
  }
}

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
