public import HTTPMessages

/// What ``SubscriptionAPI/judge(head:)`` says of a request whose body was not read yet.
public enum HeadJudgement: Sendable {
  /// It is refused, and the observer was told; whatever body comes is for nobody.
  case answered(HTTPResponse)
  /// It may go on; the observer is told when it is answered.
  case admitted(AdmittedRequest)
}

/// A request that passed all checks before its body, and waits for it.
///
/// It is answered once, by one of its two calls.
public struct AdmittedRequest: Sendable {
  let course: RequestCourse
  let call: Call
  let operation: Operation

  /// Who asks, by a token; nil where none is needed, as at the webhook.
  public var caller: Caller? { call.caller }

  /// How many bytes of a body are worth reading: one more than allowed, or none at all.
  public var bodyLimit: Int { operation.readsBody ? course.api.bodyLimit + 1 : 0 }

  /// Answers the request.
  ///
  /// - Parameter body: The body, whole or cut behind ``bodyLimit``.
  /// - Returns: The answer, with all header fields but those that the server alone knows.
  public func respond(body: [UInt8]) async -> HTTPResponse {
    let (course, call) = whole(body)
    do {
      if operation.readsBody { try checkBody(of: call.request) }
      return course.end((try await operation.run(course.api, call), .succeeded))
    } catch {
      return course.end(SubscriptionAPI.answer(to: error, under: call.contract))
    }
  }

  /// Answers with 503 in place of reading the body, as when there is no memory for it.
  ///
  /// - Returns: The answer; the observer is told of ``RequestOutcome/overloaded``.
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
