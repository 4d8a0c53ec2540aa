/// The name of a header field, in which case does not matter.
///
/// An open set: a name of one's own is written as a literal, or made from a text with ``init(_:)``.
///
/// Source: RFC 9110 section 5.1.
public struct HTTPHeaderName: Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name in the case in which it was given.
  public let text: String
  /// What is compared: the name in lower case, as HTTP/2 sends it.
  private let canonical: String

  /// Takes a name.
  ///
  /// - Throws: ``HTTPSyntaxFailure/headerName`` when it is empty or holds more than letters, digits
  ///   and the marks that a token may have.
  public init(_ text: String) throws(HTTPSyntaxFailure) {
    guard Syntax.isToken(text) else { throw .headerName }
    self.init(token: text)
  }

  /// Takes a name from the program's text; one that is no token stops the program.
  public init(stringLiteral text: StaticString) {
    let text = text.description
    precondition(Syntax.isToken(text), "The name of a header field is a token.")
    self.init(token: text)
  }

  private init(token text: String) {
    self.text = text
    canonical = text.lowercased()
  }

  /// Whether both are the same name, in whatever case.
  public static func == (one: HTTPHeaderName, other: HTTPHeaderName) -> Bool {
    one.canonical == other.canonical
  }

  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(canonical)
  }

  /// The name.
  public var description: String { text }

  /// What kinds of content the sender understands.
  public static let accept: HTTPHeaderName = "Accept"
  /// What proves who sends the request; a secret.
  public static let authorization: HTTPHeaderName = "Authorization"
  /// How long an answer may be reused.
  public static let cacheControl: HTTPHeaderName = "Cache-Control"
  /// How many bytes the body has.
  public static let contentLength: HTTPHeaderName = "Content-Length"
  /// What kind of content the body is.
  public static let contentType: HTTPHeaderName = "Content-Type"
  /// When the answer was made, by the server's clock.
  public static let date: HTTPHeaderName = "Date"
  /// Where else to look.
  public static let location: HTTPHeaderName = "Location"
  /// How long to wait before asking again.
  public static let retryAfter: HTTPHeaderName = "Retry-After"
  /// What program sends the request.
  public static let userAgent: HTTPHeaderName = "User-Agent"
}
