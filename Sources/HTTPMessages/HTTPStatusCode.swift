/// The status code of a response.
///
/// The set of codes is open: any number that arrives is kept. Write further codes as literals.
///
/// Source: RFC 9110 section 15.
public struct HTTPStatusCode: Hashable, Sendable, ExpressibleByIntegerLiteral,
  CustomStringConvertible
{
  /// The number, which should be from 100 to 599.
  public let code: Int

  /// Creates a status code from any number.
  public init(_ code: Int) {
    self.code = code
  }

  /// Creates a status code from a literal.
  public init(integerLiteral code: Int) {
    self.code = code
  }

  /// Whether the request succeeded (200 to 299).
  public var isSuccess: Bool { (200...299).contains(code) }

  /// The number as text.
  public var description: String { String(code) }

  /// The request succeeded.
  public static let ok: HTTPStatusCode = 200
  /// The request succeeded and created a resource.
  public static let created: HTTPStatusCode = 201
  /// The request was accepted and is not finished yet.
  public static let accepted: HTTPStatusCode = 202
  /// The request succeeded; the response has no body.
  public static let noContent: HTTPStatusCode = 204
  /// The request is malformed.
  public static let badRequest: HTTPStatusCode = 400
  /// Credentials are missing or invalid.
  public static let unauthorized: HTTPStatusCode = 401
  /// The client is not permitted to make the request.
  public static let forbidden: HTTPStatusCode = 403
  /// The resource does not exist.
  public static let notFound: HTTPStatusCode = 404
  /// The resource does not support the method.
  public static let methodNotAllowed: HTTPStatusCode = 405
  /// The request conflicts with the state of the resource.
  public static let conflict: HTTPStatusCode = 409
  /// The body is too large.
  public static let contentTooLarge: HTTPStatusCode = 413
  /// The media type of the body is not supported.
  public static let unsupportedMediaType: HTTPStatusCode = 415
  /// The body is well formed, but its content is invalid.
  public static let unprocessableContent: HTTPStatusCode = 422
  /// The client sent too many requests (RFC 6585 section 4).
  public static let tooManyRequests: HTTPStatusCode = 429
  /// The server failed unexpectedly.
  public static let internalServerError: HTTPStatusCode = 500
  /// An upstream server failed.
  public static let badGateway: HTTPStatusCode = 502
  /// The server is temporarily unavailable.
  public static let serviceUnavailable: HTTPStatusCode = 503
}
