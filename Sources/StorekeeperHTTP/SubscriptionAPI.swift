public import HTTPMessages
internal import OpenSSLSupport
internal import ReceiptModels
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

  /// An API.
  ///
  /// - Parameters:
  ///   - subscriptions: What decides and keeps.
  ///   - notifications: What takes Apple's notifications, or nil to take none.
  ///   - authenticator: Who may ask.
  ///   - mounts: Where each contract is served; no prefix twice, the first would answer.
  ///   - bodyLimit: How many bytes the body of a request may have.
  ///   - observer: Who is told of every request, for logs and metrics.
  ///   - clock: What measures how long a request takes.
  ///   - requestID: The id of a request: letters, digits and hyphens.
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
  }

  /// Answers a request; the answer to anything that is wrong is an answer too.
  ///
  /// - Parameter request: What was asked: its address absolute, or beginning with the path as in the
  ///   first line of a request; its body whole, or cut behind ``bodyLimit``.
  /// - Returns: The answer, with all header fields but those that the server alone knows, such as the
  ///   length of the body.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    let id = requestID()
    let watch = watch()
    var call = Call(request: request, target: RequestTarget(request.url))
    let outcome: RequestOutcome
    var response: HTTPResponse
    do {
      response = try await answer(&call)
      outcome = .succeeded
    } catch {
      (response, outcome) = Self.answer(to: error, under: call.contract)
    }
    response.finish(requestID: id)
    observer.observe(
      RequestReport(
        id: id, method: request.method, route: call.route, caller: call.caller?.name,
        status: response.status, outcome: outcome, duration: watch(),
        requestBytes: request.body.count, responseBytes: response.body.count))
    return response
  }

  /// The time since it was asked for.
  private func watch() -> @Sendable () -> Duration {
    func start(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
      let start = clock.now
      return { start.duration(to: clock.now) }
    }
    return start(clock)
  }

  /// The checks in the contract's order, then the operation.
  private func answer(_ call: inout Call) async throws -> HTTPResponse {
    let match = try Route.match(call.target, in: mounts, withWebhook: notifications != nil)
    call.mount = match.mount
    call.id = match.id
    call.route = match.mount.prefix + match.route.path
    guard let operation = match.route.operation(for: call.request.method) else {
      throw RequestRefusal.methodNotAllowed(match.route.methods)
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
    guard !request.headers.declareCoding else { throw .codedBody }
  }
}
