public import HTTPMessages
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension PlayStoreSimulator {
  /// An attempt to push a notification.
  public struct PushAttempt: Hashable, Sendable {
    public let number: Int
    /// The status of the server's answer; nil without an answer.
    public let status: HTTPStatusCode?

    /// Whether Pub/Sub takes the answer for an acknowledgement, and does not push again.
    public var isAcknowledged: Bool { status.map(PlayStoreSimulator.acknowledges) ?? false }
  }

  /// Whether Pub/Sub takes a status for an acknowledgement: 102, 200, 201, 202 and 204, and no other.
  ///
  /// Source: Google Cloud Pub/Sub, "Push subscriptions".
  public static func acknowledges(_ status: HTTPStatusCode) -> Bool {
    [102, 200, 201, 202, 204].contains(status.code)
  }

  /// The notifications that are to be pushed, oldest first: neither lost nor acknowledged, and not older
  /// than the seven days for which Pub/Sub keeps a message.
  public var duePushes: [TestDeveloperNotification] {
    let now = now
    return notifications.filter {
      !$0.isLost && !$0.isAcknowledged && now.timeIntervalSince($0.date) < 7 * 86_400
    }
  }

  /// Pushes every notification that is due once; those that are not acknowledged stay due.
  ///
  /// The time limit is that of the server for one answer.
  @discardableResult
  public func deliverPushes(
    by transport: any HTTPTransport, timeout: Duration = .seconds(10)
  ) async throws -> [PushAttempt] {
    var attempts: [PushAttempt] = []
    for notification in duePushes {
      try Task.checkCancellation()
      var request = try push(notification)
      request.timeout = timeout
      // An attempt without an answer is repeated, whatever the reason.
      let response = try? await transport.send(request)
      let attempt = PushAttempt(number: notification.number, status: response?.status)
      if attempt.isAcknowledged { acknowledgePush(notification.number) }
      attempts.append(attempt)
    }
    return attempts
  }

  /// Records that the server acknowledged a notification, by its number.
  ///
  /// For callers that send the requests of ``push(_:as:)`` themselves.
  public func acknowledgePush(_ number: Int) {
    state.withLock { state in
      guard let index = state.world.notifications.firstIndex(where: { $0.number == number }) else {
        return
      }
      state.world.notifications[index].isAcknowledged = true
    }
  }
}
