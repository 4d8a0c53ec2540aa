internal import HTTPMessages
internal import JSONValues
internal import PurchaseStorage
internal import ReceiptModels
internal import Storekeeper

typealias SubscriptionCall = Call<SubscriptionAPI>
typealias SubscriptionRoute = Route<SubscriptionAPI>

extension SubscriptionAPI: APIShell {
  typealias Terms = SubscriptionTerms

  func admit(_ call: inout SubscriptionCall, to route: SubscriptionRoute) async throws {
    call.caller = .service(name: try await authenticator.caller(of: call.request).name)
    try route.terms.check(call.request)
  }

  func bodyLimit(of route: SubscriptionRoute) -> Int { max(bodyLimit, 0) }

  func ownAnswer(to error: any Error, in call: SubscriptionCall) -> ObservedAnswer? {
    let contract = call.route?.terms.contract ?? .current
    switch error {
    case RequestRefusal.missing(.receipt) where contract == .legacy:
      return written(.unprocessable("receipt-data", "missing_field", "receipt-data missing"))
    case let failure as SubscriptionFailure: return written(failure.answer(under: contract))
    case RetentionMessageFailure.answererFailed(let error): return failed(error)
    case RetentionMessageFailure.cancelled: return answer(to: CancellationError(), in: call)
    case let failure as RetentionMessageFailure: return written(failure.answer)
    case StorageFailure.unavailable where call.route?.terms.fixesFailures == false: return nil
    case is StorageFailure: return failed(error)
    default: return nil
    }
  }
}

// MARK: The table

extension SubscriptionAPI {
  /// Returns the routes of a mount.
  ///
  /// Those for Apple, which need no token because Apple's signature proves the sender, are the webhook, the same
  /// under both contracts (linking rules, section 5), and the route for retention messages.
  static func table(
    _ mount: Mount, notifications: NotificationService?, retentionMessages: RetentionMessageService?
  ) -> [SubscriptionRoute] {
    var routes =
      switch mount.contract {
      case .current: currentRoutes(askingFirst: mount.server)
      case .legacy: legacyRoutes(askingFirst: mount.server)
      }
    if let notifications {
      let terms = SubscriptionTerms(mount.contract, fixesFailures: true)
      routes.append(
        SubscriptionRoute(.post, "/webhook/apple", .vendor, readsBody: true, terms: terms) {
          _, call in
          try await notifications.receive(
            body: call.request.body, isForwarded: call.request.isForwarded)
          return HTTPResponseMessage(status: .ok)
        })
    }
    if let retentionMessages, mount.contract == .current {
      routes.append(
        SubscriptionRoute(
          .post, "/webhook/apple/retention-message", .vendor, readsBody: true,
          terms: SubscriptionTerms(.current)
        ) { _, call in
          let answer = try await retentionMessages.answer(body: call.request.body)
          // Without a response to read, Apple shows the default message.
          return answer.response.map { .json($0.json) } ?? .noContent
        })
    }
    return routes.map { $0.mounted(under: mount.prefix) }
  }
}
