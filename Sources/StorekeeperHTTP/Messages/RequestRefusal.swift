internal import HTTPMessages

/// Why a request to a known route did not get as far as the service.
///
/// Source: contract on linking, section 6.1.
enum RequestRefusal: Error, Hashable, Sendable {
  case methodNotAllowed([HTTPRequestMethod])
  /// The user is named twice.
  case ambiguousUser
  case bodyTooLarge
  /// The body is compressed, which is not undone here (RFC 9110 section 15.5.16).
  case codedBody
  case malformedBody
  case invalidPage
  case invalidPageLength
}
