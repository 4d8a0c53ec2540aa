internal import HTTPMessages

/// The reason why a request to a known route did not reach the service.
///
/// Source: linking rules, section 6.1.
enum RequestRefusal: Error, Hashable, Sendable {
  case methodNotAllowed([HTTPRequestMethod])
  /// No user is named.
  case userMissing
  /// The user is named twice.
  case ambiguousUser
  case bodyTooLarge
  /// The body is compressed, which is not supported (RFC 9110 section 15.5.16).
  case codedBody
  case malformedBody
  /// A required member of the body is missing, null or blank.
  case missing(RequestField)
  /// An identifier that no stored row can have.
  case unknownID
  /// A signed transaction or renewal info is refused.
  case invalid(RequestField)
  /// Apple could not be asked about the certificates of signed data.
  case revocationUnknown
  case invalidPage
  case invalidPageLength
}
