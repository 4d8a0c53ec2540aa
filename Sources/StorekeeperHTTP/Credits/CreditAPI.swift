public import Storekeeper

/// The credit service over HTTP, for any server.
///
/// ```swift
/// let api = CreditAPI(
///   credits, notifications: notifications, users: SessionTokens(key: key),
///   services: BearerTokens(entries))
/// let response = await api.respond(to: request)
/// ```
///
/// Users come with the token of their session, and the name of the ``Caller`` is their account
/// identifier. A trusted service books entries of its own with a token from another authenticator. Apple
/// needs no token, because its signature is the proof.
///
/// A failure is answered with a problem document (RFC 7807), by whose `code` and `params` clients decide.
/// Answers have no token, signed data, e-mail address or identifier of another user. Status 500 and 503
/// reveal no internal error, and the ``RequestObserver`` receives it under the ID of the request. Reports
/// name trusted services, but no user.
///
/// To serve other routes at the same place, see ``StorekeeperAPI``. Source: credit rules.
public struct CreditAPI: RequestResponder {
  public let credits: CreditService
  /// The service that receives Apple's notifications; if nil, their path is an unknown route.
  public let notifications: NotificationService?
  /// The service that receives Google's notifications; if nil, their path is an unknown route.
  public let playNotifications: PlayNotificationService?
  /// The beginning of the member `type` of problems; what follows is the code in lower case with hyphens.
  public var problemBase = "urn:problem:"
  public let options: APIOptions

  /// The maximum number of bytes in the body of a request, except of a notification: 64 KiB.
  public static let bodyLimit = 64 << 10
  /// The maximum number of bytes in the body of a notification: 256 KiB.
  public static let notificationLimit = 256 << 10

  let users: any Authenticator
  let services: (any Authenticator)?
  let table: RouteTable<CreditAPI>

  /// Creates an API.
  ///
  /// - Parameters:
  ///   - credits: The credit service.
  ///   - notifications: The service that receives Apple's notifications, or nil to receive none. Give Apple the URL
  ///     that ends in `/api/v1/payments/apple/notifications`.
  ///   - playNotifications: The service that receives Google's notifications; nil for a host that receives them at
  ///     another API, or none. Give Pub/Sub the URL that ends in `/api/v1/payments/google/notifications`.
  ///   - users: The authenticator of users, whose callers are named by account identifiers.
  ///   - services: The authenticator of services that may book entries for every user; if nil, the path for that is
  ///     an unknown route.
  ///   - options: The settings that the APIs of a host share.
  public init(
    _ credits: CreditService, notifications: NotificationService? = nil,
    playNotifications: PlayNotificationService? = nil, users: any Authenticator,
    services: (any Authenticator)? = nil, options: APIOptions = APIOptions()
  ) {
    self.credits = credits
    self.notifications = notifications
    self.playNotifications = playNotifications
    self.users = users
    self.services = services
    self.options = options.telling(credits)
    table = RouteTable(
      Self.table(
        notifications, playNotifications, hasServices: services != nil,
        sellsAtGooglePlay: credits.googlePlay != nil
      ).map { $0.mounted(under: options.prefix) })
  }
}
