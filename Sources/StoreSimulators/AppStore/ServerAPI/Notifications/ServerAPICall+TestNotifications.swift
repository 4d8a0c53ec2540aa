internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

struct TestNotificationRun: Sendable {
  let uuid: String
  let date: Date
}

extension ServerAPICall {
  /// Makes a test notification, and answers with its token.
  func requestTestNotification() throws -> ServerAPIAnswer {
    guard !isElsewhere, let (token, _) = appStore.makeTestNotification(at: now) else {
      throw ServerAPIRefusal(4_040_007)
    }
    return .json(["testNotificationToken": .string(token)])
  }

  func testNotificationStatus() throws -> ServerAPIAnswer {
    let token = parameter("token")
    guard Self.isTestToken(token) else { throw ServerAPIRefusal(4_000_020) }
    let (run, records) = appStore.state.withLock {
      ($0.serverAPI.testNotifications[token], $0.serverAPI.notifications)
    }
    // A token lives for six months.
    guard let run, !isElsewhere, now.timeIntervalSince(run.date) < 182 * 86_400,
      let record = records.first(where: { $0.uuid == run.uuid }),
      let first = record.attempts.first, first.date <= now
    else { throw ServerAPIRefusal(4_040_008) }
    return .json(try members(of: record))
  }

  /// A token is a UUID and a number.
  private static func isTestToken(_ text: String) -> Bool {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false)
    return parts.count == 2 && UUID(uuidString: String(parts[0])) != nil && Int(parts[1]) != nil
  }

  /// Returns a notification as the history and the status of a test show it.
  func members(of record: SimulatedNotification) throws -> [String: JSONValue] {
    [
      "signedPayload": .string(try appStore.signedPayload(record)),
      "sendAttempts": .array(
        record.attempts.map { attempt in
          .object([
            "attemptDate": .milliseconds(attempt.date),
            "sendAttemptResult": .string(attempt.result.rawValue),
          ])
        }),
    ]
  }
}

extension AppStoreSimulator {
  /// Makes a test notification, as a request for one does.
  ///
  /// - Returns: The notification; nil if there is no address for notifications.
  public func requestTestNotification() -> SentNotification? {
    makeTestNotification(at: now).map { SentNotification(record: $0.record, appStore: self) }
  }

  func makeTestNotification(at now: Date) -> (token: String, record: SimulatedNotification)? {
    let record = SimulatedNotification(.test, at: now, .data(.init()))
    let token =
      UUID().uuidString.lowercased() + "_" + String(Int(now.timeIntervalSince1970 * 1000))
    return state.withLock { state in
      guard state.serverAPI.settings.hasNotificationURL else { return nil }
      let kept = state.serverAPI.keep(
        record, after: state.serverAPI.settings.testNotificationDelay)
      state.serverAPI.testNotifications[token] = TestNotificationRun(uuid: kept.uuid, date: now)
      return (token, kept)
    }
  }
}
