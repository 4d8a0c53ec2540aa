public import HTTPMessages
public import JWSVerifier
public import Storekeeper

/// The subscription service over HTTP, for any server.
///
/// ```swift
/// let api = SubscriptionAPI(
///   subscriptions, notifications: notifications, authenticator: tokens)
/// let response = await api.respond(to: request)
/// ```
///
/// Both contracts are served, each under its own prefixes (see ``Mount``). The API opens no socket.
/// The host's server reads the request, at most one byte more than ``bodyLimit``, and sends the
/// answer. To check a request before reading its body, call ``judge(head:)``.
///
/// Answers never reveal internal errors. Status 500 has a fixed text and the ID of the request, and
/// the ``RequestObserver`` receives the error under that ID.
///
/// Source: linking rules, section 6.
public struct SubscriptionAPI: RequestResponder {
  /// The subscription service.
  public let subscriptions: SubscriptionService
  /// The service that receives Apple's notifications; if nil, the webhook is an unknown route.
  public let notifications: NotificationService?
  /// The service that answers Apple's requests for retention messages; if nil, their path is an
  /// unknown route.
  public let retentionMessages: RetentionMessageService?
  /// The verifier of clients' signed transactions; if nil, they are not accepted.
  public let verifier: SignedDataVerifier?
  /// The prefixes under which each contract is served.
  public let mounts: [Mount]
  /// The maximum number of bytes in the body of a request; 1 MiB by default.
  public let bodyLimit: Int

  let authenticator: any Authenticator
  let reception: Reception
  let table: RouteTable<SubscriptionAPI>

  /// Creates an API.
  ///
  /// - Parameters:
  ///   - subscriptions: The subscription service.
  ///   - notifications: The service that receives Apple's notifications, or nil to receive none.
  ///   - retentionMessages: The service that answers Apple's requests for retention messages, or nil
  ///     to answer none. The mounts of the current contract serve it; give Apple the URL that ends
  ///     in `/api/v1/webhook/apple/retention-message`.
  ///   - verifier: The verifier of clients' signed transactions; by default that of
  ///     `notifications`.
  ///   - authenticator: The authenticator of callers.
  ///   - mounts: The prefixes under which each contract is served. If two mounts match a path, the
  ///     first one answers.
  ///   - bodyLimit: The maximum number of bytes in the body of a request.
  ///   - observer: An observer of every request, for logs and metrics.
  ///   - clock: The clock that measures the duration of a request.
  ///   - requestID: Returns the ID of a request, of letters, digits and hyphens. An ID that is not
  ///     a valid value of a header field is replaced by a random one.
  public init(
    _ subscriptions: SubscriptionService, notifications: NotificationService? = nil,
    retentionMessages: RetentionMessageService? = nil,
    verifier: SignedDataVerifier? = nil, authenticator: any Authenticator,
    mounts: [Mount] = Mount.standard, bodyLimit: Int = 1 << 20,
    observer: any RequestObserver = SilentObserver(),
    clock: any Clock<Duration> = ContinuousClock(),
    requestID: @escaping @Sendable () -> String = RequestID.random
  ) {
    self.subscriptions = subscriptions
    self.notifications = notifications
    self.retentionMessages = retentionMessages
    self.verifier = verifier ?? notifications?.verifier
    self.authenticator = authenticator
    self.mounts = mounts
    self.bodyLimit = max(bodyLimit, 0)
    reception = Reception(observer: observer, clock: clock, requestID: requestID)
    table = RouteTable(
      mounts, notifications: notifications, retentionMessages: retentionMessages)
  }

  /// All served routes, for hosts whose server registers each route.
  public var routes: [APIRoute] { table.routes }

  /// Returns whether a URL matches a route.
  ///
  /// ``RequestResponder/respond(to:)`` answers an unknown path with status 404. A host that has routes of its own
  /// below a mount calls this method first. The method of the request is not considered, because
  /// the contract refuses an unknown method of a known path (405).
  ///
  /// - Parameter url: The URL of a request, absolute or beginning with the path.
  /// - Returns: Whether one of ``routes`` has the path.
  public func knows(_ url: String) -> Bool { table.match(RequestTarget(url)) != nil }

  /// Checks the head of a request: route, method, token, user and declared length.
  ///
  /// A server calls this method before it reads the body into memory, so that callers without a
  /// token cannot exhaust its memory.
  ///
  /// ```swift
  /// switch await api.judge(head: head) {
  /// case .answered(let response): send(response)
  /// case .admitted(let request): send(await request.respond(body: try await readBody()))
  /// }
  /// ```
  ///
  /// Source: linking rules, section 6.1.
  ///
  /// - Parameter head: The request, without its body.
  /// - Returns: The answer to a refused request, or the admitted request.
  public func judge(head: HTTPRequest) async -> HeadJudgement { await judgement(of: head) }
}
