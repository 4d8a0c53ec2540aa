public import ReceiptModels
public import Storekeeper

/// The entitlement service over HTTP, for any server.
///
/// ```swift
/// let api = EntitlementAPI(
///   entitlements, users: SessionTokens(key: key), services: BearerTokens(entries))
/// let response = await api.respond(to: request)
/// ```
///
/// Users come with the token of their session, and act for themselves; the name of the ``Caller`` is their
/// account identifier. A trusted service comes with a token from another authenticator, and acts for every
/// user. A host with other rules gives its own `mayAct`.
///
/// A failure is answered with a JSON object with a `message`, and with status 422 also with the `field` and
/// the `code` by which clients decide. Answers have no receipt, token or identifier of another user. Status
/// 500 and 503 reveal no internal error, and the ``RequestObserver`` receives it under the ID of the
/// request. Reports name trusted services, but no user.
///
/// To serve other routes at the same place, see ``StorekeeperAPI``. Source: entitlement rules, section 10.
public struct EntitlementAPI: RequestResponder {
  /// A rule for who may act for a user in an app, which has the bundle ID.
  public typealias Permission =
    @Sendable (EntitlementCaller, AccountID, String) async throws -> Bool

  public var entitlements: EntitlementService { core.entitlements }
  /// The service that receives Apple's notifications; if nil, their path is an unknown route.
  public var notifications: NotificationService? { core.parts.notifications }
  /// The service that receives Google's notifications; if nil, their path is an unknown route.
  ///
  /// Give Pub/Sub the URL that ends in `/api/v1/webhook/google`. A host with orders receives them there.
  public var playNotifications: PlayNotificationService? {
    get { core.parts.playNotifications }
    set { change { $0.playNotifications = newValue } }
  }
  /// The service that signs what a user may use, for devices without a network; if nil, its two paths are unknown
  /// routes.
  ///
  /// It has to rest on ``entitlements``. Source: entitlement rules, section 10.1.
  public var statements: StatementService? {
    get { core.parts.statements }
    set { change { $0.statements = newValue } }
  }
  public var options: APIOptions { core.options }

  /// The maximum number of bytes in the body of a request: 2 MiB.
  public static let bodyLimit = 2 << 20

  var authenticators: UsersAndServices { core.authenticators }
  var mayAct: Permission { core.mayAct }
  var table: RouteTable<EntitlementAPI> { core.table }
  private var core: Core

  /// What all copies of the API share, as every call has one.
  private final class Core: Sendable {
    let entitlements: EntitlementService
    let parts: Parts
    let authenticators: UsersAndServices
    let mayAct: Permission
    let options: APIOptions
    let table: RouteTable<EntitlementAPI>

    init(
      _ entitlements: EntitlementService, _ parts: Parts, _ authenticators: UsersAndServices,
      _ mayAct: @escaping Permission, _ options: APIOptions
    ) {
      self.entitlements = entitlements
      self.parts = parts
      self.authenticators = authenticators
      self.mayAct = mayAct
      self.options = options.telling(entitlements)
      table = RouteTable(
        EntitlementAPI.table(parts).map { $0.mounted(under: options.prefix) })
    }
  }

  /// The services that have routes only where they are given.
  struct Parts: Sendable {
    var notifications: NotificationService?
    var playNotifications: PlayNotificationService?
    var statements: StatementService?
  }

  private mutating func change(_ change: (inout Parts) -> Void) {
    var parts = core.parts
    change(&parts)
    core = Core(core.entitlements, parts, core.authenticators, core.mayAct, core.options)
  }

  /// Creates an API.
  ///
  /// - Parameters:
  ///   - entitlements: The entitlement service.
  ///   - notifications: The service that receives Apple's notifications, or nil to receive none here. Give Apple the
  ///     URL that ends in `/api/v1/webhook/apple`.
  ///   - users: The authenticator of users, whose callers are named by account identifiers; nil for a host whose own
  ///     server asks for all users.
  ///   - services: The authenticator of services that may act for every user; nil for none.
  ///   - mayAct: The rule for who may act for a user in an app.
  ///   - options: The settings that the APIs of a host share.
  public init(
    _ entitlements: EntitlementService, notifications: NotificationService? = nil,
    users: (any Authenticator)?, services: (any Authenticator)? = nil,
    mayAct: @escaping Permission = { caller, userID, _ in caller.mayAct(for: userID) },
    options: APIOptions = APIOptions()
  ) {
    core = Core(
      entitlements, Parts(notifications: notifications),
      UsersAndServices(users: users, services: services), mayAct, options)
  }
}
