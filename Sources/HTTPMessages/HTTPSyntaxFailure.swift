/// Why a text cannot be part of an HTTP message.
///
/// The text itself is not kept: it may be a secret.
@nonexhaustive
public enum HTTPSyntaxFailure: Error, Hashable, Sendable {
  /// The name of a method is no token (RFC 9110 sections 5.6.2 and 9.1).
  case methodName
  /// The name of a header field is no token (RFC 9110 section 5.1).
  case headerName
  /// The value for this header field holds a line break, NUL or another control character
  /// (RFC 9110 section 5.5).
  case headerValue(HTTPHeaderName)
}
