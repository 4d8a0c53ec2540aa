internal import HTTPMessages

/// The course of a request from its head to its answer, for the report to the observer.
struct RequestCourse: Sendable {
  let api: SubscriptionAPI
  var request: HTTPRequest
  /// The call, or nil if the route is unknown.
  var call: Call?
  private let id: String
  private let elapsed: @Sendable () -> Duration

  init(api: SubscriptionAPI, request: HTTPRequest, call: Call?) {
    self.api = api
    self.request = request
    self.call = call
    id = Self.sendable(api.requestID())
    elapsed = Self.watch(api.clock)
  }

  /// Completes an answer and reports it to the observer.
  func end(_ answer: (response: HTTPResponse, outcome: RequestOutcome)) -> HTTPResponse {
    var response = answer.response
    response.finish(requestID: id)
    api.observer.observe(
      RequestReport(
        id: id, method: request.method, route: call?.match.template, caller: call?.caller?.name,
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
