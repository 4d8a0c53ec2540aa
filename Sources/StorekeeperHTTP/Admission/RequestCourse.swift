internal import HTTPMessages

/// The course of a request from its head to its answer, for the report to the observer.
struct RequestCourse: Sendable {
  var request: HTTPRequestMessage
  /// The route as a template, or nil if it is unknown.
  var route: String?
  /// The name of the caller, or nil if none is to be reported.
  var caller: String?
  private let observer: any RequestObserver
  private let id: String
  private let elapsed: @Sendable () -> Duration

  init(_ options: APIOptions, request: HTTPRequestMessage) {
    self.request = request
    observer = options.observer
    id = Self.sendable(options.requestID())
    elapsed = Self.watch(options.clock)
  }

  /// Completes an answer and reports it to the observer.
  func end(_ answer: ObservedAnswer) -> HTTPResponseMessage {
    var response = answer.response
    response.finish(requestID: id)
    observer.observe(
      RequestReport(
        id: id, method: request.method, route: route, caller: caller,
        status: response.status, outcome: answer.outcome, duration: elapsed(),
        requestBytes: request.body.count, responseBytes: response.body.count))
    return response
  }

  /// Returns the host's request ID as the value of a header field, or a random ID if it is not
  /// valid.
  private static func sendable(_ text: String) -> String {
    var fields = HTTPHeaders()
    try? fields.set(text, for: .requestID)
    guard let id = fields[.requestID], !id.isEmpty else { return RequestID.random() }
    return id
  }

  /// Returns a function that measures the time since this call.
  private static func watch(_ clock: any Clock<Duration>) -> @Sendable () -> Duration {
    func start(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
      let start = clock.now
      return { start.duration(to: clock.now) }
    }
    return start(clock)
  }
}
