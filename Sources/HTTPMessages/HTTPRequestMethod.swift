/// What a request asks the server to do with a resource.
///
/// An open set: names are tokens and case matters, so that `get` is not ``get``. A name of one's own
/// is written as a literal, or made from a text with ``init(_:)``.
///
/// Source: RFC 9110 section 9.1.
public struct HTTPRequestMethod: Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible
{
  /// The name as it is sent.
  public let name: String

  /// Takes a name.
  ///
  /// - Throws: ``HTTPSyntaxFailure/methodName`` when it is empty or holds more than letters, digits
  ///   and the marks that a token may have; so a line break cannot be smuggled in.
  public init(_ name: String) throws(HTTPSyntaxFailure) {
    guard Syntax.isToken(name) else { throw .methodName }
    self.name = name
  }

  /// Takes a name from the program's text; one that is no token stops the program.
  public init(stringLiteral name: StaticString) {
    let text = name.description
    precondition(Syntax.isToken(text), "The name of an HTTP method is a token.")
    self.name = text
  }

  /// Read the resource.
  public static let get: HTTPRequestMethod = "GET"
  /// Read what ``get`` would answer, without the body.
  public static let head: HTTPRequestMethod = "HEAD"
  /// Let the resource process the body.
  public static let post: HTTPRequestMethod = "POST"
  /// Replace the resource by the body.
  public static let put: HTTPRequestMethod = "PUT"
  /// Change the resource as the body says (RFC 5789).
  public static let patch: HTTPRequestMethod = "PATCH"
  /// Remove the resource.
  public static let delete: HTTPRequestMethod = "DELETE"
  /// Ask what may be asked.
  public static let options: HTTPRequestMethod = "OPTIONS"

  /// The name.
  public var description: String { name }
}
