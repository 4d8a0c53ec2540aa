public import HTTPMessages
public import JWSVerifier
public import Storekeeper

/// The subscription service over HTTP, for any server: it turns a request into an answer.
///
/// ```swift
/// let api = SubscriptionAPI(
///   subscriptions, notifications: notifications, authenticator: tokens)
/// let response = await api.respond(to: request)
/// ```
///
/// Both contracts are served, each under its own prefixes (see ``Mount``). The API opens no socket: the
/// host's server reads the request, up to ``bodyLimit`` and one byte, and sends the answer;
/// ``judge(head:)`` tells whether a body is wanted before it is read.
/// Answers never reveal internal errors: status 500 has a fixed text and the ID of the request, under
/// which the ``RequestObserver`` gets the error.
///
/// Source: linking rules, section 6.
public struct SubscriptionAPI: Sendable {
  /// The service that decides and records.
  public let subscriptions: SubscriptionService
  /// The service that receives Apple's notifications; without it the webhook is an unknown route.
  public let notifications: NotificationService?
  /// The verifier of clients' signed transactions; without it they are not accepted.
  public let verifier: SignedDataVerifier?
  /// The prefixes under which each contract is served.
  public let mounts: [Mount]
  /// The maximum number of bytes in the body of a request; 1 MiB by default.
  public let bodyLimit: Int

  let authenticator: any Authenticator
  let observer: any RequestObserver
  let clock: any Clock<Duration>
  let requestID: @Sendable () -> String
  private let table: RouteTable

  /// Creates an API.
  ///
  /// - Parameters:
  ///   - subscriptions: The service that decides and records.
  ///   - notifications: The service that receives Apple's notifications, or nil to receive none.
  ///   - verifier: The verifier of clients' signed transactions; by default that of `notifications`.
  ///   - authenticator: The authenticator of callers.
  ///   - mounts: The prefixes under which each contract is served; of two with the same prefix, the
  ///     first one that knows the path answers.
  ///   - bodyLimit: The maximum number of bytes in the body of a request.
  ///   - observer: An observer of every request, for logs and metrics.
  ///   - clock: The clock that measures the duration of a request.
  ///   - requestID: The ID of a request: letters, digits and hyphens. An invalid ID is replaced by a
  ///     random one.
  public init(
    _ subscriptions: SubscriptionService, notifications: NotificationService? = nil,
    verifier: SignedDataVerifier? = nil, authenticator: any Authenticator,
    mounts: [Mount] = Mount.standard, bodyLimit: Int = 1 << 20,
    observer: any RequestObserver = SilentObserver(),
    clock: any Clock<Duration> = ContinuousClock(),
    requestID: @escaping @Sendable () -> String = RequestID.random
  ) {
    self.subscriptions = subscriptions
    self.notifications = notifications
    self.verifier = verifier ?? notifications?.verifier
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

  /// Whether an address leads to a route; asked by hosts with routes of their own below a mount.
  ///
  /// What leads nowhere is answered with 404 by ``respond(to:)``; a host whose own routes lie below a
  /// prefix of ours passes it on instead. The method does not matter: a known path with another one is
  /// for the contract to refuse (405).
  ///
  /// - Parameter url: The address of a request, absolute or beginning with the path.
  /// - Returns: Whether one of ``routes`` has the path.
  public func knows(_ url: String) -> Bool { table.match(RequestTarget(url)) != nil }

  /// Answers a request; the answer to anything that is wrong is an answer too.
  ///
  /// - Parameter request: What was asked: its address absolute, or beginning with the path as in the
  ///   first line of a request; its body whole, or cut behind ``bodyLimit``.
  /// - Returns: The answer, with all header fields but those that the server alone knows, such as the
  ///   length of the body.
  public func respond(to request: HTTPRequest) async -> HTTPResponse {
    switch await judge(head: request) {
    case .answered(let response): response
    case .admitted(let admitted): await admitted.respond(body: request.body)
    }
  }

  /// Judges a request by all that comes before its body: route, method, token, user, declared length.
  ///
  /// A server asks this before it keeps a body, so that nobody without a token fills its memory.
  ///
  /// ```swift
  /// switch await api.judge(head: head) {
  /// case .answered(let response): send(response)
  /// case .admitted(let request): send(await request.respond(body: try await readBody()))
  /// }
  /// ```
  ///
  /// Source: contract on linking, section 6.1.
  ///
  /// - Parameter head: The request, without its body.
  /// - Returns: The answer, or what waits for the body.
  public func judge(head: HTTPRequest) async -> HeadJudgement {
    let target = RequestTarget(head.url)
    var course = RequestCourse(api: self, request: head, call: nil)
    guard let match = table.match(target) else {
      return .answered(course.end(Self.unknownRoute))
    }
    var call = Call(request: head, target: target, match: match)
    do {
      let operation = try await admit(&call)
      course.call = call
      return .admitted(AdmittedRequest(course: course, call: call, operation: operation))
    } catch {
      course.call = call
      return .answered(course.end(Self.answer(to: error, under: call.contract)))
    }
  }

  /// The checks in the contract's order, as far as they need no body.
  private func admit(_ call: inout Call) async throws -> Operation {
    let route = call.match.route
    guard let operation = route.operation(for: call.request.method) else {
      throw RequestRefusal.methodNotAllowed(route.methods)
    }
    if operation.isAuthenticated {
      call.caller = try await caller(of: call.request)
    }
    if operation.user != .ignored { try call.readUser() }
    if operation.user == .required { try call.requireUser() }
    if operation.readsBody {
      guard call.request.headers.declaredLength <= bodyLimit else {
        throw RequestRefusal.bodyTooLarge
      }
    }
    return operation
  }

  private func caller(of request: HTTPRequest) async throws -> Caller {
    guard let token = request.headers.bearerToken else {
      throw AuthenticationFailure.unknownToken
    }
    return try await authenticator.caller(token: token)
  }
}
