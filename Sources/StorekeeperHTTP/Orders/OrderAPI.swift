public import HTTPMessages
public import Storekeeper

/// The order service over HTTP, for any server.
///
/// ```swift
/// let api = OrderAPI(orders, users: SessionTokens(key: key))
/// let response = await api.respond(to: request)
/// ```
///
/// Users come with the token of their session; the name of the ``Caller`` is their account identifier. A trusted
/// service may see the products, and nothing else, because it is no user. Two routes are for hosts whose login
/// is elsewhere: `GET subscription/current` does what belongs to a login, and `POST
/// subscription/token-refresh` what belongs to the extension of a session.
///
/// Answers have no receipt, token or identifier of another user. To serve other routes at the same place, see
/// ``StorekeeperAPI``.
///
/// Source: entitlement rules, sections 12 to 14.
public struct OrderAPI: RequestResponder {
  /// The order service.
  public let orders: OrderService
  /// The service that receives Google's notifications; if nil, their path is an unknown route.
  public let playNotifications: PlayNotificationService?
  /// The beginning of the paths, such as `/api/v1`, without a trailing slash.
  public let prefix: String
  /// The number of seconds after which a client may try again, in the field `Retry-After` of status 503,
  /// unless the vendor gave another.
  public let retryAfter: Int

  /// The maximum number of bytes in the body of a request: 4 MiB, because JSON may escape each character of
  /// a receipt.
  public static let bodyLimit = 4 << 20

  let authenticators: UsersAndServices
  let reception: Reception
  let table: RouteTable<OrderAPI>

  /// Creates an API.
  ///
  /// - Parameters:
  ///   - orders: The order service.
  ///   - playNotifications: The service that receives Google's notifications, or nil to receive none. Give
  ///     Pub/Sub the URL that ends in `/api/v1/webhook/google`.
  ///   - users: The authenticator of users, whose callers are named by account identifiers; nil for none.
  ///   - services: The authenticator of services that may see the products; nil for none.
  ///   - prefix: The beginning of the paths; trailing slashes are removed.
  ///   - retryAfter: The number of seconds after which a client may try again, at least 0.
  ///   - observer: An observer of every request, for logs and metrics.
  ///   - clock: The clock that measures the duration of a request.
  ///   - requestID: Returns the ID of a request, of letters, digits and hyphens. An ID that is not
  ///     a valid value of a header field is replaced by a random one.
  public init(
    _ orders: OrderService, playNotifications: PlayNotificationService? = nil,
    users: (any Authenticator)?, services: (any Authenticator)? = nil,
    prefix: String = "/api/v1", retryAfter: Int = 30,
    observer: any RequestObserver = SilentObserver(),
    clock: any Clock<Duration> = ContinuousClock(),
    requestID: @escaping @Sendable () -> String = RequestID.random
  ) {
    self.orders = orders
    self.playNotifications = playNotifications
    authenticators = UsersAndServices(users: users, services: services)
    self.prefix = Mount(prefix).prefix
    self.retryAfter = max(retryAfter, 0)
    reception = Reception(observer: observer, clock: clock, requestID: requestID)
    let google = playNotifications.map { [OrderRoutes.notifications($0)] } ?? []
    table = RouteTable([.init(prefix: self.prefix, place: (), routes: OrderRoutes.all + google)])
  }

  /// All served routes, for hosts whose server registers each route.
  public var routes: [APIRoute] { table.routes }

  /// Returns whether a URL matches a route.
  ///
  /// - Parameter url: The URL of a request, absolute or beginning with the path.
  /// - Returns: Whether one of ``routes`` has the path.
  public func knows(_ url: String) -> Bool { table.match(RequestTarget(url)) != nil }

  /// Checks the head of a request: route, method, token and declared length.
  ///
  /// - Parameter head: The request, without its body.
  /// - Returns: The answer to a refused request, or the admitted request.
  public func judge(head: HTTPRequest) async -> HeadJudgement { await judgement(of: head) }
}
