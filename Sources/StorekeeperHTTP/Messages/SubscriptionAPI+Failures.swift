internal import HTTPMessages
internal import LinkPolicy
internal import JSONValues
internal import ReceiptModels
internal import Storekeeper

extension SubscriptionAPI {
  /// The answer to a failure, and what the observer is told of it.
  static func answer(
    to error: any Error, under contract: LinkContract
  ) -> (HTTPResponse, RequestOutcome) {
    switch error {
    case let failure as AuthenticationFailure:
      return refused(FailureAnswer(status: 401, message: failure.message))
    case let refusal as RequestRefusal:
      return refused(refusal, under: contract)
    case let failure as SubscriptionFailure:
      return refused(failure.answer(under: contract))
    case let failure as NotificationFailure:
      return refused(failure.answer)
    case is CancellationError:
      // The server is about to stop; whoever asks may ask again.
      return (unavailable, .cancelled)
    default:
      return (
        answer(FailureAnswer(status: 500, message: "Internal Server Error")), .failed(error)
      )
    }
  }

  /// The answer to a request that may come again.
  static var unavailable: HTTPResponse {
    answer(FailureAnswer(status: 503, message: "Service Unavailable"))
  }

  /// The answer where no route is.
  static var unknownRoute: (HTTPResponse, RequestOutcome) {
    refused(FailureAnswer(status: 404, message: "Not Found"))
  }

  private static func refused(_ answer: FailureAnswer) -> (HTTPResponse, RequestOutcome) {
    (Self.answer(answer), .refused(field: answer.field, code: answer.code))
  }

  private static func refused(
    _ refusal: RequestRefusal, under contract: LinkContract
  ) -> (HTTPResponse, RequestOutcome) {
    switch refusal {
    case .methodNotAllowed(let methods):
      var (response, outcome) = refused(
        FailureAnswer(status: 405, message: "Method Not Allowed"))
      let names = methods.map(\.name).joined(separator: ", ")
      // Names of methods have no control characters.
      try? response.headers.set(names, for: .allow)
      return (response, outcome)
    case .ambiguousUser:
      return refused(SubscriptionFailure.userMissing.answer(under: contract))
    case .bodyTooLarge:
      return refused(FailureAnswer(status: 413, message: "Request body is too large"))
    case .codedBody:
      var (response, outcome) = refused(
        FailureAnswer(status: 415, message: "Unsupported Media Type"))
      response.headers.setAll([.acceptEncoding: "identity"])
      return (response, outcome)
    case .malformedBody:
      return refused(FailureAnswer(status: 400, message: "Problems parsing JSON"))
    case .invalidPage:
      return refused(SubscriptionFailure.invalidPage.answer(under: contract))
    case .invalidPageLength:
      return refused(SubscriptionFailure.invalidPageLength.answer(under: contract))
    }
  }

  /// The error body: a message always, field and code with 422 only.
  private static func answer(_ failure: FailureAnswer) -> HTTPResponse {
    var members: [String: JSONValue] = ["message": .string(failure.message)]
    if let field = failure.field, let code = failure.code {
      members["error"] = .object(["field": .string(field), "code": .string(code)])
    }
    var response = HTTPResponse.json(.object(members), status: HTTPStatusCode(failure.status))
    // Every 401 says what is missing (RFC 9110 section 15.5.2).
    if response.status == .unauthorized { response.headers.setAll([.wwwAuthenticate: "Bearer"]) }
    return response
  }
}
