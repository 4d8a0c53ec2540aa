internal import JSONValues
internal import JWSVerifier
public import ReceiptModels
internal import StorekeeperLocks

extension AppStoreServerClient {
  /// Returns the notifications that Apple sent or tried to send.
  ///
  /// Apple keeps them for 180 days, in the Sandbox for 30. An earlier start is moved to that limit
  /// less a minute, and an end in the future counts as now. Apple is asked when the first page is
  /// awaited. Pass each `signedPayload` on as if Apple had sent it. `patience` holds for each page.
  /// Source: Apple, Get Notification History; App Store Server API rules, section 2.3.
  public func notificationHistory(
    _ request: NotificationHistoryRequest, in environment: AppStoreEnvironment? = nil,
    patience: Duration? = nil, pageLimit: Int = 5000
  ) -> NotificationHistory {
    let now = now()
    return NotificationHistory(
      first: PageCursor(startingAt: nil, limit: pageLimit), environment: environment
    ) { token async throws(AppStoreServerFailure) in
      guard let environment = environment ?? configuration.server.environment else {
        throw AppStoreServerFailure(.environmentRequired, of: .notificationHistory)
      }
      let request = try checking(.notificationHistory) { () throws(InvalidRequest) in
        try request.validate()
        return try request.clipped(to: environment, at: now)
      }
      return try await ask(
        ServerRequest(
          .notificationHistory, ["inApps", "v1", "notifications", "history"],
          query: token.map { [("paginationToken", $0)] } ?? [], sending: request),
        in: environment, patience: patience
      ) { answer async throws(AppStoreServerFailure) in
        let page: NotificationHistoryResponse = try answer.decoded()
        var notifications: [SentNotification] = []
        for (index, item) in (page.notificationHistory ?? []).enumerated() {
          let member = "notificationHistory[\(index)].signedPayload"
          // An item without a payload is refused as a token that is none, and the others count.
          let payload = item.signedPayload ?? ""
          notifications.append(
            SentNotification(
              notification: try await judge(
                verifier.result(of: payload, as: .notification), member, in: answer),
              signedPayload: payload,
              sendAttempts: Unsigned(item.sendAttempts ?? [], in: answer.environment)))
        }
        return NotificationPage(
          notifications: notifications, paginationToken: page.paginationToken,
          hasMore: page.hasMore ?? false, environment: answer.environment)
      }
    }
  }

  /// Asks Apple to send a test notification to the app's URL.
  ///
  /// After a connection that broke, the request is not repeated: a second one would be sent. The answer
  /// is the token for ``testNotificationStatus(_:in:patience:)``, which lives six months. The failure is
  /// ``AppStoreServerErrorCode/serverNotificationURLNotFound`` if no URL is configured. Source: Apple,
  /// Request a Test Notification.
  public func requestTestNotification(
    in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> Unsigned<String> {
    try await ask(
      ServerRequest(.requestTestNotification, ["inApps", "v1", "notifications", "test"]),
      in: environment, patience: patience
    ) { answer async throws(AppStoreServerFailure) in
      let response: SendTestNotificationResponse = try answer.decoded()
      return Unsigned(
        try answer.required(response.testNotificationToken, "testNotificationToken", .string),
        in: answer.environment)
    }
  }

  /// Returns the status of a test notification.
  ///
  /// The failure is ``AppStoreServerErrorCode/testNotificationNotFound`` if there is none yet.
  /// Source: Apple, Get Test Notification Status.
  public func testNotificationStatus(
    _ token: String, in environment: AppStoreEnvironment? = nil, patience: Duration? = nil
  ) async throws(AppStoreServerFailure) -> TestNotificationStatus {
    let token = try pathPart(token, "testNotificationToken", .testNotificationStatus)
    return try await ask(
      ServerRequest(.testNotificationStatus, ["inApps", "v1", "notifications", "test", token]),
      in: environment, patience: patience
    ) { answer async throws(AppStoreServerFailure) in
      let response: CheckTestNotificationResponse = try answer.decoded()
      return TestNotificationStatus(
        notification: try await verified(
          response.signedPayload, "signedPayload", as: .notification, in: answer),
        sendAttempts: Unsigned(response.sendAttempts ?? [], in: answer.environment))
    }
  }

  /// Waits for a test notification: asks after 2, 5, 15, 30 and 60 seconds, and then every minute.
  ///
  /// A failure that may pass is not the end of waiting.
  /// Returns nil if there was none in time.
  public func awaitTestNotification(
    _ token: String, in environment: AppStoreEnvironment? = nil, atMost limit: Duration
  ) async throws(AppStoreServerFailure) -> TestNotificationStatus? {
    let begin = uptime.elapsed
    var moments: [Duration] = [.seconds(60), .seconds(30), .seconds(15), .seconds(5), .seconds(2)]
    var last = Duration.zero
    while true {
      let next = moments.popLast() ?? last + .seconds(60)
      guard next <= limit else { return nil }
      last = next
      do {
        try await clock.sleep(for: max(.zero, begin + next - uptime.elapsed))
      } catch {
        throw AppStoreServerFailure(.cancelled, of: .testNotificationStatus, in: environment)
      }
      do throws(AppStoreServerFailure) {
        let rest = max(.milliseconds(1), begin + limit - uptime.elapsed)
        return try await testNotificationStatus(
          token, in: environment, patience: min(rest, configuration.patience))
      } catch {
        switch error.retry {
        case .afterBackOff, .notBefore: continue
        default: guard error.code == .testNotificationNotFound else { throw error }
        }
      }
    }
  }
}

extension AppStoreServerClient.Server {
  /// The environment, if the server is that of one.
  var environment: AppStoreEnvironment? {
    switch self {
    case .production: .production
    case .sandbox: .sandbox
    case .auto: nil
    }
  }
}
