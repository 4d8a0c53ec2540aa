internal import HTTPMessages
internal import JSONValues
internal import ReceiptModels
internal import Storekeeper

// The route at which Apple asks for a retention message. It lies beside the webhook, because Apple
// calls both and neither requires a token: Apple's signature proves the sender.
extension Route<SubscriptionAPI> {
  static func retentionMessage(_ messages: RetentionMessageService) -> Route {
    Route(
      path: "/webhook/apple/retention-message",
      operations: [
        SubscriptionOperation(method: .post, isAuthenticated: false, readsBody: true) { _, call in
          let answer = try await messages.answer(body: call.request.body)
          // Without a response to read, Apple shows the default message.
          return answer.response.map { .json($0.json) } ?? .noContent
        }
      ])
  }
}
