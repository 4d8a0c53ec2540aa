internal import HTTPMessages
internal import Storekeeper

// The webhook, which is the same under both contracts (linking rules, section 5).
extension Route<SubscriptionAPI> {
  static func webhook(_ notifications: NotificationService) -> Route {
    Route(
      path: "/webhook/apple",
      operations: [
        SubscriptionOperation(
          method: .post, isAuthenticated: false, readsBody: true, fixesFailures: true
        ) { _, call in
          try await notifications.receive(body: call.request.body)
          return HTTPResponseMessage(status: .ok)
        }
      ])
  }
}
