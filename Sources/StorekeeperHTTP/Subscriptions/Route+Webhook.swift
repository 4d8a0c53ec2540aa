internal import HTTPMessages
internal import Storekeeper

// Contract on linking, section 5: the same under both contracts.
extension Route {
  static func webhook(_ notifications: NotificationService) -> Route {
    Route(
      path: "/webhook/apple",
      operations: [
        Operation(method: .post, isAuthenticated: false, readsBody: true) { _, call in
          try await notifications.receive(body: call.request.body)
          return HTTPResponse(status: .ok)
        }
      ])
  }
}
