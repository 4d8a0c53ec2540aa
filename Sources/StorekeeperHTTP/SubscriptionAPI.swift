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
/// socket: the host's server reads the request, up to ``bodyLimit`` and a byte, and sends the answer;
/// ``judge(head:)`` says before the body is read whether it is wanted.
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
