/// What a server says of a request, in three digits.
///
/// An open set: whatever number arrives is kept. A number of one's own is written as a literal.
///
/// Source: RFC 9110 section 15.
public struct HTTPStatusCode: Hashable, Sendable, ExpressibleByIntegerLiteral,
  CustomStringConvertible
{
  /// The number, from 100 to 599 unless the server is wrong.
  public let code: Int

  /// Takes a number, whichever it is.
  public init(_ code: Int) {
    self.code = code
  }

  /// Takes a number from the program's text.
  public init(integerLiteral code: Int) {
    self.code = code
  }

  /// Whether the request was understood, accepted and carried out (200 to 299).
  public var isSuccess: Bool { (200...299).contains(code) }

  /// The number.
  public var description: String { String(code) }

  /// Done, and the body is the answer.
  public static let ok: HTTPStatusCode = 200
  /// Done, and there is a new resource.
  public static let created: HTTPStatusCode = 201
  /// Taken, and not done yet.
  public static let accepted: HTTPStatusCode = 202
  /// Done, and there is nothing to say.
  public static let noContent: HTTPStatusCode = 204
  /// The request is wrong.
  public static let badRequest: HTTPStatusCode = 400
  /// Nobody proved who asks.
  public static let unauthorized: HTTPStatusCode = 401
  /// Whoever asks may not.
  public static let forbidden: HTTPStatusCode = 403
  /// There is no such resource.
  public static let notFound: HTTPStatusCode = 404
  /// The resource does not know this method.
  public static let methodNotAllowed: HTTPStatusCode = 405
  /// The request contradicts the state of the resource.
  public static let conflict: HTTPStatusCode = 409
  /// The body is larger than accepted.
  public static let contentTooLarge: HTTPStatusCode = 413
  /// The body is of a kind that is not accepted.
  public static let unsupportedMediaType: HTTPStatusCode = 415
  /// The body is well formed, but its content is wrong.
  public static let unprocessableContent: HTTPStatusCode = 422
  /// Somebody asks too often (RFC 6585 section 4).
  public static let tooManyRequests: HTTPStatusCode = 429
  /// The server failed.
  public static let internalServerError: HTTPStatusCode = 500
  /// A server behind the server failed.
  public static let badGateway: HTTPStatusCode = 502
  /// The server cannot answer now.
  public static let serviceUnavailable: HTTPStatusCode = 503
}
