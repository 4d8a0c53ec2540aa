internal import HTTPMessages
internal import ReceiptModels
internal import Storekeeper
internal import StorekeeperLocks
internal import Synchronization

/// A request on its way through the shell of an API, with its route and caller as far as they are known.
struct Call<API: APIShell>: WaitingCall {
  var request: HTTPRequestMessage
  /// The route of the path, or nil if there is none, which no handler sees.
  var route: Route<API>?
  var caller: EntitlementCaller?

  private let origin: Origin

  /// The parts of a call that never change, in one place for all copies of it.
  private final class Origin: Sendable {
    let api: API
    let requestID: String
    let watch: Watch
    /// The span of the request, which continues the caller's; nil without telemetry.
    let span: TelemetrySpan?
    private let port: TelemetryPort?
    private let method: HTTPRequestMethod
    private let isTold = Atomic(false)

    init(_ api: API, _ head: HTTPRequestMessage) {
      self.api = api
      let options = api.options
      method = head.method.told
      port = options.port
      span = port.map { Self.span(head, options, $0.telemetry) }
      if let span { port?.telemetry.began(.request(method, route: nil), in: span) }
      requestID = RequestID.sendable(options.requestID())
      watch = Watch(options)
    }

    private static func span(
      _ head: HTTPRequestMessage, _ options: APIOptions, _ telemetry: any Telemetry
    ) -> TelemetrySpan {
      // Two fields are of two traces, of which none can be told to be the caller's.
      guard TelemetrySpan.current == nil, let field = head.headers[.traceparent],
        let caller = TelemetrySpan(traceparent: field),
        head.headers.values(for: .traceparent).count == 1
      else { return TelemetrySpan(for: telemetry) }
      return options.trustsTraceFlags
        ? TelemetrySpan(under: caller, for: telemetry)
        : TelemetrySpan(continuing: caller, decidedBy: telemetry)
    }

    /// Tells the end of the request, once.
    func tell(_ route: String?, _ result: @autoclosure () -> TelemetryResult) {
      guard let span, !isTold.exchange(true, ordering: .relaxed) else { return }
      port?.telemetry.ended(.request(method, route: route), in: span, with: result())
    }

    /// A server drops a request whose client went away before its body was there.
    deinit {
      let (duration, moment) = watch.read()
      tell(nil, TelemetryResult(.cancelled, duration: duration, endingAt: moment))
    }
  }

  init(_ api: API, _ head: HTTPRequestMessage) {
    request = head
    origin = Origin(api, head)
  }

  // MARK: For handlers

  /// The ID in the path as it was sent, or an empty text if the route has none.
  var id: String { route?.id(in: request.path) ?? "" }

  /// Returns the user that makes the request, or throws ``RequestRefusal/forbidden`` for a service.
  func userID() throws(RequestRefusal) -> AccountID {
    guard case .user(let id)? = caller else { throw .forbidden }
    return id
  }

  /// Returns a number in the query, which has digits and possibly a minus sign before them.
  func number(
    _ name: String, or preset: Int, refusal: RequestRefusal
  ) throws(RequestRefusal) -> Int {
    do {
      guard let text = try request.parameter(name) else { return preset }
      guard text.utf8.first != UInt8(ascii: "+"), let number = Int(text) else { throw refusal }
      return number
    } catch {
      throw refusal
    }
  }

  // MARK: From the body to the answer

  /// The maximum number of body bytes to read: one more than allowed, or 0 if no body is used.
  var bodyLimit: Int {
    guard let route, route.readsBody else { return 0 }
    return origin.api.bodyLimit(of: route) + 1
  }

  private var boundSpan: TelemetrySpan? { origin.span.flatMap { $0.isUnkept ? nil : $0 } }

  /// Does a part of the work on the request in its span, if there is one.
  func inSpan<Result>(
    _ body: nonisolated(nonsending) () async -> Result
  ) async -> Result {
    guard let span = boundSpan else { return await body() }
    return await TelemetrySpan.$current.withValue(span, operation: body)
  }

  func respond(body: [UInt8]) async -> HTTPResponseMessage {
    var call = self
    call.request.body = body
    return await inSpan { [call] in await call.respond() }
  }

  /// Answers the request with its body, in the span of the request.
  func respond() async -> HTTPResponseMessage {
    do {
      guard let route else { throw RequestRefusal.notFound }
      if route.readsBody {
        guard request.body.count <= origin.api.bodyLimit(of: route) else {
          throw RequestRefusal.bodyTooLarge
        }
        guard !request.headers.declaresCoding else { throw RequestRefusal.codedBody }
      }
      return end((try await route.handler(origin.api, self), .succeeded))
    } catch {
      return end(origin.api.answer(to: error, in: self), because: error)
    }
  }

  func respondOverloaded() -> HTTPResponseMessage {
    let answer: ObservedAnswer = (
      origin.api.answer(to: CancellationError(), in: self).response, .overloaded
    )
    guard let span = boundSpan else { return end(answer) }
    return TelemetrySpan.$current.withValue(span) { end(answer) }
  }

  /// Completes an answer and reports it to the observer and the telemetry.
  ///
  /// The report names a service, but no user.
  func end(_ answer: ObservedAnswer, because error: (any Error)? = nil) -> HTTPResponseMessage {
    let (duration, moment) = origin.watch.read()
    var response = answer.response
    response.finish(requestID: origin.requestID)
    let service: String? = if case .service(let name)? = caller { name } else { nil }
    let reason = error?.reasonText
    origin.api.options.observer.observe(
      RequestReport(
        id: origin.requestID, method: request.method, route: route?.path, caller: service,
        status: response.status, outcome: answer.outcome, reason: reason,
        duration: duration, requestBytes: request.body.count,
        responseBytes: response.body.count))
    origin.tell(
      route?.path,
      TelemetryResult(
        answer.outcome.told, duration: duration, endingAt: moment, reason: reason,
        detail: .answer(
          response.status, requestBytes: request.body.count, responseBytes: response.body.count)))
    return response
  }
}

extension RequestOutcome {
  /// The outcome for the telemetry.
  fileprivate var told: TelemetryOutcome {
    switch self {
    case .succeeded: .succeeded
    case .refused: .refused
    case .cancelled: .cancelled
    case .overloaded: .overloaded
    case .failed: .failed
    }
  }
}

/// The time since the beginning of a call.
private enum Watch: Sendable {
  case usual(ClockMoment)
  case other(@Sendable () -> Duration)

  init(_ options: APIOptions) {
    func start(_ clock: some Clock<Duration>) -> Watch {
      let start = clock.now
      return .other { start.duration(to: clock.now) }
    }
    self = options.hasUsualClock ? .usual(.now) : start(options.clock)
  }

  /// Returns the time since the beginning, and the present moment.
  func read() -> (duration: Duration, moment: ClockMoment) {
    let moment = ClockMoment.now
    return switch self {
    case .usual(let start): (start.duration(to: moment), moment)
    case .other(let elapsed): (elapsed(), moment)
    }
  }
}
