internal import HTTPMessages
internal import Storekeeper

// Contract on linking, section 5: the same under both contracts.
extension Route {
  static let webhook = Route(
    path: webhookPath,
    operations: [
      Operation(method: .post, isAuthenticated: false, readsBody: true) { api, call in
        try await api.notifications?.receive(body: call.request.body)
        return HTTPResponse(status: .ok)
      }
    ])
}
