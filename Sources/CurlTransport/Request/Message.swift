internal import HTTPMessages

/// A request that can be sent, with its limits.
struct Message: Sendable {
  let method: HTTPRequestMethod
  let address: String
  /// The lines of its fields, as curl takes them.
  let lines: [String]
  /// The body, or nil for a request that has none and does not say so.
  let body: [UInt8]?
  let milliseconds: Int
  let responseLimit: Int

  /// Looks at a request.
  ///
  /// - Throws: ``/HTTPMessages/HTTPTransportFailure`` with `invalidRequest` for one that curl would
  ///   not send, or not as it is; with `timedOut` where there is no time.
  init(
    _ request: HTTPRequest, timeout: Duration, responseLimit: Int
  ) throws(HTTPTransportFailure) {
    let isBodyless = request.method == .get || request.method == .head
    guard Address.isUsable(request.url), request.body.isEmpty || !isBodyless,
      let lines = FieldLines(request)
    else { throw HTTPTransportFailure(.invalidRequest) }
    let timeout = min(request.timeout ?? timeout, Self.longestTimeout)
    guard timeout > .zero else { throw HTTPTransportFailure(.timedOut) }
    method = request.method
    address = request.url
    self.lines = lines.all
    // These have a length even when it is 0 (RFC 9110 section 8.6).
    let hasLength = [.post, .put, .patch].contains(method) || !request.body.isEmpty
    body = hasLength ? request.body : nil
    milliseconds = timeout.milliseconds
    self.responseLimit = request.responseLimit ?? responseLimit
  }

  private static let longestTimeout = Duration.seconds(86_400)
}

extension Duration {
  /// Milliseconds, rounded up; for durations of some days at most.
  fileprivate var milliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
