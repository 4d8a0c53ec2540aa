public import HTTPMessages
public import Storekeeper

/// The service over HTTP, for any server: a request goes in, an answer comes out.
///
/// ```swift
/// let api = SubscriptionAPI(
///   subscriptions, notifications: notifications, authenticator: tokens)
/// let response = await api.respond(to: request)
/// ```
///
/// Both contracts are answered, each under its own prefixes (see ``Mount``). Nothing here opens a
/// socket: the host's server reads the request, up to ``bodyLimit`` and a byte, and sends the answer.
/// Answers never show what went wrong inside: status 500 has a fixed text, and the id of the request,
/// which the ``RequestObserver`` is told with the error.
///
/// Source: contract on linking, section 6.
public struct SubscriptionAPI: Sendable {
  /// What decides and keeps.
  public let subscriptions: SubscriptionService
  /// What takes Apple's notifications; without it the webhook is an unknown route.
  public let notifications: NotificationService?
  /// Where each contract is served.
  public let mounts: [Mount]
  /// How many bytes the body of a request may have; 1 MiB by default.
  public let bodyLimit: Int

  let authenticator: any Authenticator
  let observer: any RequestObserver
  let clock: any Clock<Duration>
  let requestID: @Sendable () -> String
  private let table: RouteTable

  /// An API.
  ///
  /// - Parameters:
  ///   - subscriptions: What decides and keeps.
  ///   - notifications: What takes Apple's notifications, or nil to take none.
  ///   - authenticator: Who may ask.
  ///   - mounts: Where each contract is served; of two with the same prefix, the first that knows
  ///     the path answers.
  ///   - bodyLimit: How many bytes the body of a request may have.
  ///   - observer: Who is told of every request, for logs and metrics.
  ///   - clock: What measures how long a request takes.
  ///   - requestID: The id of a request: letters, digits and hyphens. In the place of one that is no
  ///     value of a header field there is one by chance.
  public init(
    _ subscriptions: SubscriptionService, notifications: NotificationService? = nil,
    authenticator: any Authenticator, mounts: [Mount] = Mount.standard, bodyLimit: Int = 1 << 20,
    observer: any RequestObserver = SilentObserver(),
    clock: any Clock<Duration> = ContinuousClock(),
    requestID: @escaping @Sendable () -> String = RequestID.random
  ) {
    self.subscriptions = subscriptions
    self.notifications = notifications
    self.authenticator = authenticator
    self.mounts = mounts
    self.bodyLimit = max(bodyLimit, 0)
    self.observer = observer
    self.clock = clock
    self.requestID = requestID
    table = RouteTable(mounts, notifications: notifications)
  }

  /// Every route that is served, for hosts whose server wants them by name.
  public var routes: [APIRoute] { table.routes }

  /// Answers a request; the answer to anything that is wrong is an answer too.
  ///
  /// - Parameter request: What was asked: its address absolute, or beginning with the path as in the
  ///   first line of a request; its body whole, or cut behind ``bodyLimit``.
  /// - Returns: The answer, with all header fields but those that the server alone knows, such as the
  ///   length of the body.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    let id = sendableID()
    let watch = watch()
    let target = RequestTarget(request.url)
    var call = table.match(target).map { Call(request: request, target: target, match: $0) }
    var (response, outcome) = await answer(&call)
    response.finish(requestID: id)
    observer.observe(
      RequestReport(
        id: id, method: request.method, route: call?.match.template, caller: call?.caller?.name,
        status: response.status, outcome: outcome, duration: watch(),
        requestBytes: request.body.count, responseBytes: response.body.count))
    return response
  }

  /// The host's id, as a header field has it.
  private func sendableID() -> String {
    var fields = HTTPHeaders()
    try? fields.set(requestID(), for: .requestID)
    guard let id = fields[.requestID], !id.isEmpty else { return RequestID.random() }
    return id
  }

  /// The time since it was asked for.
  private func watch() -> @Sendable () -> Duration {
    func start(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
      let start = clock.now
      return { start.duration(to: clock.now) }
    }
    return start(clock)
  }

  /// The answer to a request that led to a route, or to none.
  private func answer(_ call: inout Call?) async -> (HTTPResponse, RequestOutcome) {
    guard var found = call else { return Self.unknownRoute }
    defer { call = found }
    do {
      return (try await run(&found), .succeeded)
    } catch {
      return Self.answer(to: error, under: found.contract)
    }
  }

  /// The checks in the contract's order, then the operation.
  private func run(_ call: inout Call) async throws -> HTTPResponse {
    let route = call.match.route
    guard let operation = route.operation(for: call.request.method) else {
      throw RequestRefusal.methodNotAllowed(route.methods)
    }
    if operation.isAuthenticated {
      call.caller = try await caller(of: call.request)
    }
    if operation.user != .ignored { try call.readUser() }
    if operation.user == .required { try call.requireUser() }
    if operation.readsBody { try checkBody(of: call.request) }
    return try await operation.run(self, call)
  }

  private func caller(of request: HTTPRequest) async throws -> Caller {
    guard let token = request.headers.bearerToken else {
      throw AuthenticationFailure.unknownToken
    }
    return try await authenticator.caller(token: token)
  }

  private func checkBody(of request: HTTPRequest) throws(RequestRefusal) {
    let declared = request.headers.declaredLength
    guard max(declared, request.body.count) <= bodyLimit else { throw .bodyTooLarge }
    guard !request.headers.declaresCoding else { throw .codedBody }
  }
}
