/// The reason why content could not be fetched.
///
/// Source: entitlement rules, section 8.
@nonexhaustive
public enum ContentFailure: Error, Hashable, Sendable {
  case unsupportedType
  /// The address is no URL of its type, or has no host name, or has a user name or password.
  case invalidURL
  /// The scheme is not `https`, or not `http` where the host allows it, or not `file` for local content; or an
  /// `https` address redirects to `http`.
  case schemeNotAllowed
  /// The path leaves the content directory, or there is no such directory.
  case outsideContentDirectory
  /// The content has more bytes than the limit.
  case tooLarge(limit: Int)
  case checksumMismatch
  /// The server answered with another status than 200, or with too many redirects.
  case httpStatus(Int)
  /// The server gave no answer, or the local file is missing, cannot be read or is no regular file.
  case transport
  /// Every source of a `fallback` failed, in their order.
  case allSourcesFailed([ContentFailure])
  case cancelled
}
