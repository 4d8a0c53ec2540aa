/// The status code of a response.
///
/// The set of codes is open: any number that arrives is kept. Write further codes as literals.
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

  public var description: String { String(code) }

  public static let ok: HTTPStatusCode = 200
  public static let created: HTTPStatusCode = 201
  public static let accepted: HTTPStatusCode = 202
  public static let noContent: HTTPStatusCode = 204
  public static let badRequest: HTTPStatusCode = 400
  public static let unauthorized: HTTPStatusCode = 401
  public static let forbidden: HTTPStatusCode = 403
  public static let notFound: HTTPStatusCode = 404
  public static let methodNotAllowed: HTTPStatusCode = 405
  public static let conflict: HTTPStatusCode = 409
  public static let contentTooLarge: HTTPStatusCode = 413
  public static let unsupportedMediaType: HTTPStatusCode = 415
  /// The body is well formed, but its content is invalid.
  public static let unprocessableContent: HTTPStatusCode = 422
  /// The client sent too many requests (RFC 6585 section 4).
  public static let tooManyRequests: HTTPStatusCode = 429
  public static let internalServerError: HTTPStatusCode = 500
  public static let badGateway: HTTPStatusCode = 502
  public static let serviceUnavailable: HTTPStatusCode = 503
}
