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
/// ``StorekeeperAPI``. Source: entitlement rules, sections 12 to 14.
public struct OrderAPI: RequestResponder {
  public let orders: OrderService
  /// The service that receives Apple's notifications; if nil, their path is an unknown route.
  public let notifications: NotificationService?
  /// The service that receives Google's notifications; if nil, their path is an unknown route.
  public let playNotifications: PlayNotificationService?
  public let options: APIOptions

  /// The maximum number of bytes in the body of a request: 4 MiB, because JSON may escape each character of
  /// a receipt.
  public static let bodyLimit = 4 << 20

  let authenticators: UsersAndServices
  let table: RouteTable<OrderAPI>

  /// Creates an API.
  ///
  /// - Parameters:
  ///   - orders: The order service.
  ///   - notifications: The service that receives Apple's notifications, or nil to receive none here. Give App Store
  ///     Connect the URL that ends in `/api/v1/webhook/apple`.
  ///   - playNotifications: The service that receives Google's notifications, or nil to receive none. Give Pub/Sub
  ///     the URL that ends in `/api/v1/webhook/google`.
  ///   - users: The authenticator of users, whose callers are named by account identifiers; nil for none.
  ///   - services: The authenticator of services that may see the products; nil for none.
  ///   - options: The settings that the APIs of a host share.
  public init(
    _ orders: OrderService, notifications: NotificationService? = nil,
    playNotifications: PlayNotificationService? = nil,
    users: (any Authenticator)?, services: (any Authenticator)? = nil,
    options: APIOptions = APIOptions()
  ) {
    self.orders = orders
    self.notifications = notifications
    self.playNotifications = playNotifications
    authenticators = UsersAndServices(users: users, services: services)
    self.options = options.telling(orders)
    table = RouteTable(
      Self.table(notifications, playNotifications).map { $0.mounted(under: options.prefix) })
  }
}
