internal import HTTPMessages
internal import JSONValues

/// The answer to a failed request.
///
/// Clients decide by its status, field and code. Source: linking rules, sections 6.1 to 6.4.
public struct FailureAnswer: Hashable, Sendable {
  public var status: Int
  public var field: String?
  public var code: String?
  /// A text for people, which is never empty.
  public var message: String

  /// Creates an answer.
  public init(status: Int, field: String? = nil, code: String? = nil, message: String) {
    self.status = status
    self.field = field
    self.code = code
    self.message = message
  }

  static let notFound = FailureAnswer(status: 404, message: "Not Found")
  static let unauthorized = FailureAnswer(status: 401, message: "Requires authorization.")
  static let forbidden = FailureAnswer(status: 403, message: "Forbidden")
  static let internalError = FailureAnswer(status: 500, message: "Internal Server Error")
  static let unavailable = FailureAnswer(status: 503, message: "Service Unavailable")
  static let malformedBody = FailureAnswer(status: 400, message: "Problems parsing JSON")
  static let invalidPage = unprocessable(
    "page", "invalid", "page must be an integer from 1 upwards")
  static let invalidPageLength = unprocessable(
    "per_page", "invalid", "per_page must be an integer from 1 to 100")

  static func unprocessable(_ field: String, _ code: String, _ message: String) -> FailureAnswer {
    FailureAnswer(status: 422, field: field, code: code, message: message)
  }

  static func missing(_ field: String) -> FailureAnswer {
    unprocessable(field, "missing_field", "Missing required field")
  }
}

extension HTTPResponseMessage {
  /// Creates an answer with an error body, which always has a message; field and code only with 422.
  init(_ failure: FailureAnswer) {
    var members: [String: JSONValue] = ["message": .string(failure.message)]
    if let field = failure.field, let code = failure.code {
      members["error"] = .object(["field": .string(field), "code": .string(code)])
    }
    self = .json(.object(members), status: HTTPStatusCode(failure.status))
  }
}
