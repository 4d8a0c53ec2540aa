/// The method of a request.
///
/// The set of methods is open: write further methods as literals, or create them with ``init(_:)``.
/// Names are tokens and case-sensitive, so that `get` is not ``get``. Source: RFC 9110 section 9.1.
public struct HTTPRequestMethod: Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  public let name: String

  /// Creates a method from a text.
  ///
  /// - Throws: ``HTTPSyntaxFailure/methodName`` if the text is empty or contains other characters
  ///   than those of a token, such as a line break.
  public init(_ name: String) throws(HTTPSyntaxFailure) {
    guard Syntax.isToken(name) else { throw .methodName }
    self.name = name
  }

  /// Creates a method from a literal, which must be a token.
  public init(stringLiteral name: StaticString) {
    let text = name.description
    precondition(Syntax.isToken(text), "The name of an HTTP method must be a token.")
    self.name = text
  }

  /// GET, which reads a resource.
  public static let get: HTTPRequestMethod = "GET"
  /// HEAD, which is ``get`` without the response body.
  public static let head: HTTPRequestMethod = "HEAD"
  /// POST, which lets the resource process the body.
  public static let post: HTTPRequestMethod = "POST"
  /// PUT, which replaces the resource with the body.
  public static let put: HTTPRequestMethod = "PUT"
  /// PATCH, which changes the resource as the body describes (RFC 5789).
  public static let patch: HTTPRequestMethod = "PATCH"
  /// DELETE, which removes the resource.
  public static let delete: HTTPRequestMethod = "DELETE"
  /// OPTIONS, which asks for the supported methods.
  public static let options: HTTPRequestMethod = "OPTIONS"

  public var description: String { name }
}
