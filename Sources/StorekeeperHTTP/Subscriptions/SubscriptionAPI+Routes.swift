internal import HTTPMessages
internal import PurchaseStorage
internal import Storekeeper

typealias SubscriptionCall = Call<SubscriptionAPI>
typealias SubscriptionOperation = Operation<SubscriptionAPI>

/// The conditions under which an operation on subscriptions is open.
struct SubscriptionAccess: Hashable, Sendable {
  /// Whether a bearer token is required.
  let isAuthenticated: Bool
  /// The meaning of header fields that name the user.
  let user: UserHeader
  /// Whether the contract fixes the status of every failure of the store, 500.
  var fixesFailures = false
}

/// The meaning of header fields that name the user, for one operation.
enum UserHeader: Hashable, Sendable {
  case ignored, optional, required
}

extension SubscriptionOperation {
  /// Creates an operation on subscriptions.
  init(
    method: HTTPRequestMethod, isAuthenticated: Bool = true, user: UserHeader = .ignored,
    readsBody: Bool = false, fixesFailures: Bool = false, run: @escaping Run
  ) {
    self.init(
      method: method,
      access: SubscriptionAccess(
        isAuthenticated: isAuthenticated, user: user, fixesFailures: fixesFailures),
      readsBody: readsBody, run: run)
  }
}

extension RouteTable<SubscriptionAPI> {
  /// Creates the routes of the contracts.
  ///
  /// The webhook needs a service that receives notifications, and the route for retention messages
  /// one that answers them.
  init(
    _ mounts: [Mount], notifications: NotificationService?,
    retentionMessages: RetentionMessageService?
  ) {
    let webhook = notifications.map { [Route.webhook($0)] } ?? []
    let messages = retentionMessages.map { [Route.retentionMessage($0)] } ?? []
    self.init(
      mounts.map { mount in
        let routes =
          switch mount.contract {
          case .current: CurrentRoutes.all + webhook + messages
          case .legacy: LegacyRoutes.all + webhook
          }
        return Section(prefix: mount.prefix, place: mount, routes: routes)
      })
  }
}

extension SubscriptionAPI: RoutedAPI {
  typealias Place = Mount
  typealias Access = SubscriptionAccess
  typealias User = HeaderUser

  /// Checks token and user.
  func admit(_ call: inout SubscriptionCall, to operation: SubscriptionOperation) async throws {
    if operation.access.isAuthenticated {
      call.caller = try await authenticator.caller(of: call.request)
    }
    if operation.access.user != .ignored { try call.readUser() }
    if operation.access.user == .required { try call.requireUser() }
  }

  func reportedName(of call: SubscriptionCall) -> String? { call.caller?.name }

  func bodyLimit(of operation: SubscriptionOperation) -> Int { max(bodyLimit, 0) }

  static var usualRetryAfter: Duration { .seconds(30) }

  func answer(to error: any Error, in call: SubscriptionCall) -> ObservedAnswer {
    let operation = call.match.route.operation(for: call.request.method)
    if case StorageFailure.unavailable = error, operation?.access.fixesFailures == false {
      return (HTTPResponseMessage(.unavailable, retryAfter: retryAfterSeconds), .failed(error))
    }
    return Self.answer(to: error, under: call.contract)
  }

  var unknownRoute: ObservedAnswer { FailureAnswer.notFound.observed }
}
