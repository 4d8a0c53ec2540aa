public import HTTPMessages

/// The result of ``RequestResponder/judge(head:)`` for a request whose body has not been read.
public enum HeadJudgement: Sendable {
  /// The request is refused and has been reported to the observer; discard any body.
  case answered(HTTPResponseMessage)
  /// The request may continue with its body; it is reported to the observer when it is answered.
  case admitted(AdmittedRequest)
}

/// A request that passed all checks of its head and waits for its body.
///
/// Answer it exactly once, with one of the two methods.
public struct AdmittedRequest: Sendable {
  private let call: any WaitingCall

  init(_ call: some WaitingCall) { self.call = call }

  /// The authenticated caller, or nil if the route requires no token, as the webhook does not.
  public var caller: Caller? { call.caller.map { Caller(name: $0.name) } }

  /// The maximum number of body bytes to read: one more than allowed, or 0 if no body is used.
  public var bodyLimit: Int { call.bodyLimit }

  /// Answers the request, whose body is complete or truncated after ``bodyLimit`` bytes.
  ///
  /// The answer has all header fields except those that only the server can set.
  public func respond(body: [UInt8]) async -> HTTPResponseMessage { await call.respond(body: body) }

  /// Answers with status 503, for example if there is no memory for the body, and reports
  /// ``RequestOutcome/overloaded``.
  public func respondOverloaded() -> HTTPResponseMessage { call.respondOverloaded() }
}

/// A call of any API that waits for its body.
protocol WaitingCall: Sendable {
  var caller: EntitlementCaller? { get }
  var bodyLimit: Int { get }
  func respond(body: [UInt8]) async -> HTTPResponseMessage
  func respondOverloaded() -> HTTPResponseMessage
}
