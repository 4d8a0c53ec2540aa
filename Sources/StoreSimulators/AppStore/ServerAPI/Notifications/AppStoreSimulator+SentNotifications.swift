internal import JSONValues
internal import StorekeeperLocks
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppStoreSimulator {
  /// An attempt of Apple to send a notification to the host's server.
  public struct SendAttempt: Hashable, Sendable {
    /// The moment of the attempt.
    public var date: Date
    public var result: Result

    /// Creates an attempt.
    public init(date: Date, result: Result) {
      self.date = date
      self.result = result
    }

    /// The outcome of an attempt, in Apple's words.
    ///
    /// Source: Apple, `sendAttemptResult`.
    public enum Result: String, Hashable, Sendable, CaseIterable {
      /// The server answered with a status from 200 to 206.
      case success = "SUCCESS"
      /// The server did not answer in time.
      case timedOut = "TIMED_OUT"
      /// No secure connection could be made.
      case tlsIssue = "TLS_ISSUE"
      /// The server's redirections led in a circle.
      case circularRedirect = "CIRCULAR_REDIRECT"
      /// The server did not answer.
      case noResponse = "NO_RESPONSE"
      case socketIssue = "SOCKET_ISSUE"
      /// The answer is in a character set that Apple does not support.
      case unsupportedCharset = "UNSUPPORTED_CHARSET"
      case invalidResponse = "INVALID_RESPONSE"
      /// The connection was closed before the answer was complete.
      case prematureClose = "PREMATURE_CLOSE"
      /// The server answered with another status.
      case unsuccessfulStatus = "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
      case other = "OTHER"
    }
  }

  /// A notification in the simulator's notification history.
  ///
  /// Unlike a ``TestNotification`` it may also be one that no call of the test caused, such as the
  /// answer to a request for a test notification.
  public struct SentNotification: Sendable, CustomStringConvertible, CustomReflectable {
    let record: SimulatedNotification
    let appStore: AppStoreSimulator

    /// The place in the history, from 1.
    public var number: Int { record.number }
    /// The identifier of the notification, in lower case.
    public var uuid: String { record.uuid }
    public var type: NotificationType { record.type }
    /// The subtype, if the type has one.
    public var subtype: NotificationSubtype? { record.subtype }
    /// The moment at which Apple made and signed it.
    public var date: Date { record.date }
    /// The customer; nil for a notification that is not about one.
    public var customer: String? { record.customer }
    /// The transaction inside; nil if there is none.
    public var transaction: Transaction? { record.transaction }
    /// The identifier of the token inside; nil if it is not about an external purchase.
    public var externalPurchaseID: String? {
      guard case .externalPurchase(let token) = record.content else { return nil }
      return token.externalPurchaseID
    }
    /// The attempts to send it, oldest first.
    public var sendAttempts: [SendAttempt] { record.attempts }
    /// Whether the simulator was told to lose it; see ``AppStoreSimulator/loseNotifications(next:)``.
    public var isLost: Bool { record.isLost }

    /// The notification as a compact JWS.
    public var signedPayload: String { get throws { try appStore.signedPayload(record) } }

    /// The body of the request in which Apple sends it.
    public var body: [UInt8] {
      get throws { SignedPayloadBody(signedPayload: try signedPayload).json.serialized }
    }

    /// The number, the type and the identifier, without signed data.
    public var description: String { "SentNotification(\(number), \(type.rawValue), \(uuid))" }
    /// The members shown by ``description``.
    public var customMirror: Mirror {
      Mirror(self, children: ["number": number, "type": type, "uuid": uuid])
    }
  }

  /// The notification history: all notifications that were made, in order, lost ones too.
  ///
  /// Requests to the server APIs add to it: an extension, a test notification, a refund.
  public var sentNotifications: [SentNotification] { sentNotifications(after: 0) }

  /// Returns the notifications after a place in the history.
  ///
  /// - Parameter number: The ``SentNotification/number`` of the last one that is known; 0 for none.
  /// - Returns: The later notifications, in order.
  public func sentNotifications(after number: Int) -> [SentNotification] {
    // Each has its number, from 1.
    state.withLock { $0.serverAPI.notifications.dropFirst(max(0, number)) }
      .map { SentNotification(record: $0, appStore: self) }
  }

  /// Loses the next notifications on their way: the history has them as failed ones.
  ///
  /// Calls still return them; a test that does not hand them to its server recovers them from the
  /// notification history.
  public func loseNotifications(next count: Int = 1) {
    state.withLock { $0.serverAPI.lossesDue += count }
  }

  /// Records the outcome of sending a notification, for the notification history.
  ///
  /// Until then the history says that the notification was accepted at once; see
  /// ``ServerAPISettings/sendsByItself``.
  ///
  /// The attempt is dated now.
  ///
  /// - Returns: False if there is no such notification.
  @discardableResult
  public func recordAttempt(_ result: SendAttempt.Result, of uuid: String) -> Bool {
    let attempt = SendAttempt(date: now, result: result)
    return state.withLock { state in
      guard let index = state.serverAPI.notifications.lastIndex(where: { $0.uuid == uuid }) else {
        return false
      }
      // Apple tries six times at most.
      if state.serverAPI.notifications[index].attempts.count < 6 {
        state.serverAPI.notifications[index].attempts.append(attempt)
      }
      return true
    }
  }
}
