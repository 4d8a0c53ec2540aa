internal import HTTPMessages

/// An operation of a route: a method, with the checks that precede it.
struct Operation: Sendable {
  typealias Run = @Sendable (SubscriptionAPI, Call) async throws -> HTTPResponse

  let method: HTTPRequestMethod
  /// Whether a bearer token is required.
  var isAuthenticated = true
  /// The meaning of header fields that name the user.
  var user = UserHeader.ignored
  var readsBody = false
  let run: Run
}

/// The meaning of header fields that name the user, for one operation.
enum UserHeader: Hashable, Sendable {
  case ignored, optional, required
}
