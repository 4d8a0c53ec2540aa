/// The name of a header field, compared without regard to case.
///
/// The set of names is open: write further names as literals, or create them with ``init(_:)``.
/// Source: RFC 9110 section 5.1.
public struct HTTPHeaderName: Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name in its original case.
  public let text: String

  /// Creates a name from a text.
  ///
  /// - Throws: ``HTTPSyntaxFailure/headerName`` if the text is empty or contains other characters
  ///   than those of a token.
  public init(_ text: String) throws(HTTPSyntaxFailure) {
    guard Syntax.isToken(text) else { throw .headerName }
    self.text = text
  }

  /// Creates a name from a literal, which must be a token.
  public init(stringLiteral text: StaticString) {
    let text = text.description
    precondition(Syntax.isToken(text), "The name of a header field must be a token.")
    self.text = text
  }

  /// Returns whether both are the same name, regardless of case.
  public static func == (one: HTTPHeaderName, other: HTTPHeaderName) -> Bool {
    let (one, other) = (one.text.utf8, other.text.utf8)
    // Most names differ in their length or in their first letter.
    guard one.count == other.count else { return false }
    return zip(one, other).allSatisfy { $0 == $1 || Syntax.lowercased($0) == Syntax.lowercased($1) }
  }

  /// Hashes the name in lower case.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(Syntax.lowercased(byte)) }
    hasher.combine(0xFF as UInt8)
  }

  /// The name in its original case.
  public var description: String { text }

  /// `Accept`, the media types that the sender understands.
  public static let accept: HTTPHeaderName = "Accept"
  /// `Authorization`, the credentials of the sender, which are secret.
  public static let authorization: HTTPHeaderName = "Authorization"
  /// `Cache-Control`, the rules for caching a response.
  public static let cacheControl: HTTPHeaderName = "Cache-Control"
  /// `Content-Length`, the size of the body in bytes.
  public static let contentLength: HTTPHeaderName = "Content-Length"
  /// `Content-Type`, the media type of the body.
  public static let contentType: HTTPHeaderName = "Content-Type"
  /// `Date`, the time of the message by the server's clock.
  public static let date: HTTPHeaderName = "Date"
  /// `Location`, the target of a redirect or the URL of a new resource.
  public static let location: HTTPHeaderName = "Location"
  /// `Retry-After`, the time to wait before another request.
  public static let retryAfter: HTTPHeaderName = "Retry-After"
  /// `User-Agent`, the program that sends the request.
  public static let userAgent: HTTPHeaderName = "User-Agent"
}
