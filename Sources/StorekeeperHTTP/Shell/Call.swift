internal import HTTPMessages
internal import ReceiptModels

/// A request on its way through the shell of an API, with its route and caller as far as they are known.
struct Call<API: APIShell>: WaitingCall {
  let api: API
  var request: HTTPRequestMessage
  /// The route of the path, or nil if there is none, which no handler sees.
  var route: Route<API>?
  var caller: EntitlementCaller?

  private let requestID: String
  private let elapsed: @Sendable () -> Duration

  init(_ api: API, _ head: HTTPRequestMessage) {
    self.api = api
    request = head
    requestID = Self.sendable(api.options.requestID())
    elapsed = Self.watch(api.options.clock)
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
    return api.bodyLimit(of: route) + 1
  }

  func respond(body: [UInt8]) async -> HTTPResponseMessage {
    var call = self
    call.request.body = body
    do {
      guard let route else { throw RequestRefusal.notFound }
      if route.readsBody {
        guard body.count <= api.bodyLimit(of: route) else { throw RequestRefusal.bodyTooLarge }
        guard !request.headers.declaresCoding else { throw RequestRefusal.codedBody }
      }
      return call.end((try await route.handler(api, call), .succeeded))
    } catch {
      return call.end(api.answer(to: error, in: call))
    }
  }

  func respondOverloaded() -> HTTPResponseMessage {
    end((api.answer(to: CancellationError(), in: self).response, .overloaded))
  }

  /// Completes an answer and reports it to the observer.
  ///
  /// The report names a service, but no user.
  func end(_ answer: ObservedAnswer) -> HTTPResponseMessage {
    var response = answer.response
    response.finish(requestID: requestID)
    let service: String? = if case .service(let name)? = caller { name } else { nil }
    api.options.observer.observe(
      RequestReport(
        id: requestID, method: request.method, route: route?.path, caller: service,
        status: response.status, outcome: answer.outcome, duration: elapsed(),
        requestBytes: request.body.count, responseBytes: response.body.count))
    return response
  }

  // MARK: Beginning

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
