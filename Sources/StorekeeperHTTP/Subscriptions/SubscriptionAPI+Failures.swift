internal import JSONValues
internal import HTTPMessages
internal import ReceiptModels
internal import Storekeeper

extension SubscriptionAPI {
  /// Returns the answer to a failure and the outcome for the observer.
  static func answer(
    to error: any Error, under contract: SubscriptionContract
  ) -> ObservedAnswer {
    switch error {
    case let failure as AuthenticationFailure:
      return refused(FailureAnswer(status: 401, message: failure.message))
    case let refusal as RequestRefusal:
      return refused(refusal, under: contract)
    case let failure as SubscriptionFailure:
      return refused(failure.answer(under: contract))
    case let failure as NotificationFailure:
      return refused(failure.answer)
    case RetentionMessageFailure.answererFailed(let error):
      return failed(error)
    case RetentionMessageFailure.cancelled:
      return (unavailable, .cancelled)
    case let failure as RetentionMessageFailure:
      return refused(failure.answer)
    case is CancellationError:
      // The server is about to stop; the client may retry.
      return (unavailable, .cancelled)
    default:
      return failed(error)
    }
  }

  /// The answer to a request that may be retried.
  private static var unavailable: HTTPResponseMessage { HTTPResponseMessage(.unavailable) }

  private static func failed(_ error: any Error) -> ObservedAnswer {
    (
      HTTPResponseMessage(FailureAnswer(status: 500, message: "Internal Server Error")),
      .failed(error)
    )
  }

  private static func refused(_ answer: FailureAnswer) -> ObservedAnswer { answer.observed }

  private static func refused(
    _ refusal: RequestRefusal, under contract: SubscriptionContract
  ) -> ObservedAnswer {
    switch refusal {
    case .methodNotAllowed(let methods):
      var (response, outcome) = refused(
        FailureAnswer(status: 405, message: "Method Not Allowed"))
      let names = methods.map(\.name).joined(separator: ", ")
      // Names of methods are valid values, so `set` does not throw.
      try? response.headers.set(names, for: .allow)
      return (response, outcome)
    case .forbidden: return refused(FailureAnswer(status: 403, message: "Forbidden"))
    case .userMissing, .ambiguousUser: return refused(.unauthorized)
    case .bodyTooLarge:
      return refused(FailureAnswer(status: 413, message: "Request body is too large"))
    case .codedBody:
      var (response, outcome) = refused(
        FailureAnswer(status: 415, message: "Unsupported Media Type"))
      response.headers.setAll([.acceptEncoding: "identity"])
      return (response, outcome)
    case .malformedBody: return refused(.malformedBody)
    case .missing(let field): return refused(.missing(field, under: contract))
    case .unknownID: return refused(.notFound)
    case .invalidPage: return refused(.invalidPage)
    case .invalidPageLength: return refused(.invalidPageLength)
    }
  }
}

extension FailureAnswer {
  /// The answer, with the outcome for the observer.
  var observed: ObservedAnswer { (HTTPResponseMessage(self), .refused(field: field, code: code)) }
}

extension HTTPResponseMessage {
  /// Creates an answer with an error body, which always has a message; field and code only with 422.
  init(_ failure: FailureAnswer) {
    var members: [String: JSONValue] = ["message": .string(failure.message)]
    if let field = failure.field, let code = failure.code {
      members["error"] = .object(["field": .string(field), "code": .string(code)])
    }
    self = .json(.object(members), status: HTTPStatusCode(failure.status))
    // Every 401 names the scheme (RFC 9110 section 15.5.2).
    if status == .unauthorized { headers.setAll([.wwwAuthenticate: "Bearer"]) }
  }

  /// Creates an answer to a request that may be repeated after a pause in seconds.
  init(_ failure: FailureAnswer, retryAfter: Int) {
    self.init(failure)
    // A number is a valid value, so `set` does not throw.
    try? headers.set(String(max(0, retryAfter)), for: .retryAfter)
  }
}
