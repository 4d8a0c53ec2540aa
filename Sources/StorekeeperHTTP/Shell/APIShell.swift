internal import HTTPMessages
internal import JSONValues
internal import PurchaseStorage
internal import Storekeeper

/// The shell of an API: all that its requests have in common before their handlers, and their failures after.
///
/// An API gives its table of routes and the parts in which it differs from another. The order of the checks is
/// the same for all: path (404), method (405), caller (401, 403), declared length of the body (413); and when
/// the body is there, its length, its coding (415), and the handler of the route.
protocol APIShell: RequestResponder {
  /// The conditions that an API has for a route besides those of ``Route``.
  associatedtype Terms: Sendable

  var table: RouteTable<Self> { get }
  var options: APIOptions { get }

  /// The time after which a client may try again, unless the options have another.
  static var usualRetryAfter: Duration { get }

  /// Checks the caller of a request, and adds it to the call.
  func admit(_ call: inout Call<Self>, to route: Route<Self>) async throws

  /// Returns the maximum number of bytes in the body of a request.
  func bodyLimit(of route: Route<Self>) -> Int

  /// Returns the answer to a failure of the API's own, or nil for one that all APIs have in common.
  func ownAnswer(to error: any Error, in call: Call<Self>) -> ObservedAnswer?

  /// Returns an answer to a failure in the format of the API, by default an object with a message.
  func written(_ answer: FailureAnswer) -> ObservedAnswer
}

/// An answer, with the outcome for the observer.
typealias ObservedAnswer = (response: HTTPResponseMessage, outcome: RequestOutcome)

extension APIShell {
  static var usualRetryAfter: Duration { .seconds(30) }

  func written(_ answer: FailureAnswer) -> ObservedAnswer {
    (HTTPResponseMessage(answer), .refused(field: answer.field, code: answer.code))
  }

  /// Checks the head of a request, and adds route and caller to its call.
  func checkHead(of call: inout Call<Self>) async throws {
    let routes = table.routes(of: call.request.path)
    guard let first = routes.first else { throw RequestRefusal.notFound }
    call.route = first
    guard let route = routes.first(where: { $0.method == call.request.method }) else {
      throw RequestRefusal.methodNotAllowed(routes.map(\.method))
    }
    call.route = route
    if route.access != .vendor, route.access != .anyone { try await admit(&call, to: route) }
    switch (route.access, call.caller) {
    case (.user, .service?), (.service, .user?): throw RequestRefusal.forbidden
    default: break
    }
    guard !route.readsBody || call.request.headers.declaredLength <= bodyLimit(of: route) else {
      throw RequestRefusal.bodyTooLarge
    }
  }

  // MARK: Failures

  /// Returns the answer to a failure.
  func answer(to error: any Error, in call: Call<Self>) -> ObservedAnswer {
    if let own = ownAnswer(to: error, in: call) { return own }
    switch error {
    case let failure as AuthenticationFailure:
      return written(FailureAnswer(status: 401, message: failure.message))
    case let refusal as RequestRefusal:
      var answer = written(refusal.answer)
      if case .methodNotAllowed(let methods) = refusal {
        // Names of methods are valid values, so `set` does not throw.
        try? answer.response.headers.set(methods.map(\.name).joined(separator: ", "), for: .allow)
      }
      return answer
    case let refusal as FieldRefusal: return written(refusal.answer)
    case let failure as NotificationFailure: return written(failure.answer)
    case let failure as SubscriptionFailure: return written(failure.answer(under: .current))
    // The server is about to stop; the client may retry.
    case is CancellationError: return (written(.unavailable).response, .cancelled)
    case is StorageFailure: return unavailable(.failed(error))
    default: return failed(error)
    }
  }

  /// Returns the answer to an unexpected error, which is not revealed.
  func failed(_ error: any Error) -> ObservedAnswer {
    (written(.internalError).response, .failed(error))
  }

  /// Returns the answer to a request that may be repeated after a pause, by default that of the API.
  func unavailable(
    _ outcome: RequestOutcome, _ answer: FailureAnswer = .unavailable, after pause: Duration? = nil
  ) -> ObservedAnswer {
    var response = written(answer).response
    // A number is a valid value, so `set` does not throw.
    try? response.headers.set(retryAfter(pause), for: .retryAfter)
    return (response, outcome)
  }

  /// The value of the field `Retry-After`: whole seconds, rounded up, at least 0.
  func retryAfter(_ pause: Duration? = nil) -> String {
    String(max((pause ?? options.retryAfter ?? Self.usualRetryAfter).secondsRoundedUp, 0))
  }
}

/// The settings that the APIs of a host share.
///
/// ```swift
/// var options = APIOptions()
/// options.observer = log
/// let api = CreditAPI(credits, users: SessionTokens(key: key), options: options)
/// ```
public struct APIOptions: Sendable {
  /// The beginning of the paths, without a trailing slash; `/api/v1` by default.
  ///
  /// Trailing slashes are removed. A ``SubscriptionAPI`` has mounts instead.
  public var prefix = "/api/v1" {
    didSet { prefix = Mount(prefix).prefix }
  }
  /// The time after which a client may try again, in the field `Retry-After` of status 503; nil for that of
  /// the API, which is 5 seconds for a ``CreditAPI`` and 30 for the others.
  ///
  /// The field has whole seconds, rounded up, at least 0. The time that a vendor gave comes first.
  public var retryAfter: Duration?
  /// The observer of every request, for logs and metrics; by default one that discards all reports.
  public var observer: any RequestObserver = SilentObserver()
  /// The port of the service of the API, which is told of every request; nil if there is none.
  var port: TelemetryPort?
  /// Whether the flag in a caller's field `traceparent` decides that a trace is kept; false by default.
  ///
  /// The field of a stranger can be anything, and is read before the caller is known. So the trace is continued, but the
  /// port decides whether it is kept. Set it where a proxy of your own writes the field, and a port exports spans.
  public var trustsTraceFlags = false
  /// The clock that measures the duration of a request.
  public var clock: any Clock<Duration> = ContinuousClock() {
    didSet { hasUsualClock = clock is ContinuousClock }
  }
  /// Whether the clock is a `ContinuousClock`, which is asked directly because that takes less time.
  private(set) var hasUsualClock = true
  /// Returns the ID of a request, of letters, digits and hyphens.
  ///
  /// An ID that is not a valid value of a header field is replaced by a random one.
  public var requestID: @Sendable () -> String = RequestID.random

  /// Creates the default settings.
  public init() {}

  /// Returns the settings with the telemetry of a service.
  func telling(_ service: some PurchaseService) -> APIOptions {
    var options = self
    options.port = service.context.telemetry.map { TelemetryPort($0) }
    return options
  }
}
