internal import HTTPMessages
internal import JSONValues

/// An API that is a table of routes, with the parts in which one differs from another.
///
/// The order of the checks is the same for all: route, method, ``admit(_:to:)``, declared length of the
/// body; and when the body is there, its length, its coding, and the work of the operation.
protocol RoutedAPI: RequestResponder {
  /// The meaning of a prefix under which routes are served.
  associatedtype Place: Sendable
  /// The conditions under which an operation is open to a caller.
  associatedtype Access: Sendable
  /// The user of a request.
  associatedtype User: Sendable

  var table: RouteTable<Self> { get }
  var options: APIOptions { get }

  /// The time after which a client may try again, unless the options have another.
  static var usualRetryAfter: Duration { get }

  /// Checks the caller and the user of a request, and adds them to the call.
  func admit(_ call: inout Call<Self>, to operation: Operation<Self>) async throws

  /// Returns the maximum number of bytes in the body of a request.
  func bodyLimit(of operation: Operation<Self>) -> Int

  /// Returns the answer to a failure, with the outcome for the observer.
  func answer(to error: any Error, in call: Call<Self>) -> ObservedAnswer

  /// Returns the name of the caller for the observer, or nil to name none.
  func reportedName(of call: Call<Self>) -> String?

  /// The answer to a request of an unknown route.
  var unknownRoute: ObservedAnswer { get }
}

/// An answer, with the outcome for the observer.
typealias ObservedAnswer = (response: HTTPResponseMessage, outcome: RequestOutcome)

extension RoutedAPI {
  /// Checks the head of a request.
  func judgement(of head: HTTPRequestMessage) async -> HeadJudgement {
    let target = RequestTarget(head.url)
    var course = RequestCourse(options, request: head)
    guard let match = table.match(target) else { return .answered(course.end(unknownRoute)) }
    course.route = match.template
    var call = Call(request: head, target: target, match: match)
    do {
      let operation = try await operation(for: &call)
      course.caller = reportedName(of: call)
      return .admitted(AdmittedRequest(AdmittedCall(self, course, call, operation)))
    } catch {
      course.caller = reportedName(of: call)
      return .answered(course.end(answer(to: error, in: call)))
    }
  }

  /// The value of the field `Retry-After`: whole seconds, rounded up, at least 0.
  var retryAfterSeconds: Int {
    max((options.retryAfter ?? Self.usualRetryAfter).secondsRoundedUp, 0)
  }

  /// Checks a head in the order of the contracts, and returns the operation.
  private func operation(for call: inout Call<Self>) async throws -> Operation<Self> {
    let route = call.match.route
    guard let operation = route.operation(for: call.request.method) else {
      throw RequestRefusal.methodNotAllowed(route.methods)
    }
    try await admit(&call, to: operation)
    if operation.readsBody {
      guard call.request.headers.declaredLength <= bodyLimit(of: operation) else {
        throw RequestRefusal.bodyTooLarge
      }
    }
    return operation
  }
}
