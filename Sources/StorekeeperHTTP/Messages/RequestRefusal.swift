internal import HTTPMessages

/// The reason that a request did not reach the service.
///
/// Source: linking rules, section 6.1.
enum RequestRefusal: Error, Hashable, Sendable {
  case notFound
  case methodNotAllowed([HTTPRequestMethod])
  case forbidden
  case userMissing
  /// A header field that names the user appears twice.
  case ambiguousUser
  case bodyTooLarge
  /// The body has a content coding, which is not supported (RFC 9110 section 15.5.16).
  case codedBody
  case malformedBody
  /// A required member of the body is missing, null or blank.
  case missing(RequestField)
  /// The identifier is one that no stored row can have.
  case unknownID
  case invalidPage
  case invalidPageLength

  var answer: FailureAnswer {
    switch self {
    case .notFound, .unknownID: .notFound
    case .methodNotAllowed: FailureAnswer(status: 405, message: "Method Not Allowed")
    case .forbidden: .forbidden
    case .userMissing, .ambiguousUser: .unauthorized
    case .bodyTooLarge: FailureAnswer(status: 413, message: "Request body is too large")
    case .codedBody: FailureAnswer(status: 415, message: "Unsupported Media Type")
    case .malformedBody: .malformedBody
    case .missing(let field): .missing(field.rawValue)
    case .invalidPage: .invalidPage
    case .invalidPageLength: .invalidPageLength
    }
  }
}
