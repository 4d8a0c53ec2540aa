public import HTTPMessages

/// The result of ``SubscriptionAPI/judge(head:)`` for a request whose body has not been read.
public enum HeadJudgement: Sendable {
  /// The request is refused and has been reported to the observer; discard any body.
  case answered(HTTPResponse)
  /// The request may continue with its body; it is reported to the observer when it is answered.
  case admitted(AdmittedRequest)
}

/// A request that passed all checks of its head and waits for its body.
///
/// Answer it exactly once, with one of the two methods.
public struct AdmittedRequest: Sendable {
  let course: RequestCourse
  let call: Call
  let operation: Operation

  /// The authenticated caller, or nil if the route requires no token, as the webhook does not.
  public var caller: Caller? { call.caller }

  /// The maximum number of body bytes to read: one more than allowed, or 0 if no body is used.
  public var bodyLimit: Int { operation.readsBody ? course.api.bodyLimit + 1 : 0 }

  /// Answers the request.
  ///
  /// - Parameter body: The body, complete or truncated after ``bodyLimit`` bytes.
  /// - Returns: The answer, with all header fields except those that only the server can set.
  public func respond(body: [UInt8]) async -> HTTPResponse {
    let (course, call) = whole(body)
    do {
      if operation.readsBody { try checkBody(of: call.request) }
      return course.end((try await operation.run(course.api, call), .succeeded))
    } catch {
      return course.end(SubscriptionAPI.answer(to: error, under: call.contract))
    }
  }

  /// Answers with status 503 without a body, for example if there is no memory for it.
  ///
  /// - Returns: The answer, which is reported to the observer as ``RequestOutcome/overloaded``.
  public func respondOverloaded() -> HTTPResponse {
    course.end((SubscriptionAPI.unavailable, .overloaded))
  }

  private func whole(_ body: [UInt8]) -> (RequestCourse, Call) {
    var (course, call) = (course, call)
    call.request.body = body
    course.request.body = body
    return (course, call)
  }

  private func checkBody(of request: HTTPRequest) throws(RequestRefusal) {
    guard request.body.count <= course.api.bodyLimit else { throw .bodyTooLarge }
    guard !request.headers.declaresCoding else { throw .codedBody }
  }
}
