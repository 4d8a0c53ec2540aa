internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import StorekeeperLocks

extension ServerAPIRoute {
  /// The calls of Retention Messaging: section 2.5 of the App Store Server API rules.
  static let messaging: [ServerAPIRoute] =
    [
      messagingRoute(.get, "image/list") { $0.imageList() },
      messagingRoute(.put, "image/{id}") { try $0.uploadImage() },
      messagingRoute(.delete, "image/{id}") { try $0.deleteImage() },
      messagingRoute(.get, "message/list") { $0.messageList() },
      messagingRoute(.put, "message/{id}") { try $0.uploadMessage() },
      messagingRoute(.delete, "message/{id}") { try $0.deleteMessage() },
      messagingRoute(.put, "default/{product}/{locale}", limit: 10) { try $0.setDefaultMessage() },
      messagingRoute(.get, "default/{product}/{locale}", limit: 10) { try $0.defaultMessage() },
      messagingRoute(.delete, "default/{product}/{locale}", limit: 10) {
        try $0.deleteDefaultMessage()
      },
      messagingRoute(.put, "realtime/url") { try $0.setRealtimeURL() },
      messagingRoute(.get, "realtime/url") { try $0.realtimeURL() },
      messagingRoute(.delete, "realtime/url") { try $0.deleteRealtimeURL() },
      messagingRoute(.post, "performanceTest") { try $0.startPerformanceTest() },
      messagingRoute(.get, "performanceTest/result/{request}") { try $0.performanceTestResult() },
    ]

  /// Creates a route that is there for admitted apps only.
  private static func messagingRoute(
    _ method: HTTPRequestMethod, _ path: String, limit: Int = 1, _ answer: @escaping Answer
  ) -> ServerAPIRoute {
    ServerAPIRoute(method, "inApps/v1/messaging/" + path, limit: limit) { call in
      guard call.settings.offersRetentionMessaging, !call.isElsewhere else {
        throw ServerAPIRefusal.unknownCall
      }
      return try answer(call)
    }
  }
}

extension ServerAPICall {
  /// Changes what is kept for Retention Messaging, and answers.
  func withMessaging<Result>(
    _ body: (inout MessagingState) throws(ServerAPIRefusal) -> Result
  ) throws(ServerAPIRefusal) -> Result {
    try appStore.state.withLock { (state) throws(ServerAPIRefusal) in
      try body(&state.serverAPI.messaging)
    }
  }

  var messaging: MessagingState { appStore.state.withLock { $0.serverAPI.messaging } }

  /// Returns the UUID in the path, in lower case.
  func pathUUID(_ name: String = "id") throws(ServerAPIRefusal) -> String {
    guard let id = JSONValue.string(parameter(name)).uuid else { throw ServerAPIRefusal(4_000_000) }
    return id
  }

  /// The state in which something arrives: the Sandbox approves at once.
  var firstState: String { appStore.environment == .sandbox ? "APPROVED" : "PENDING" }
}
