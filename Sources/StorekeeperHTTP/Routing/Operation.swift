internal import HTTPMessages

/// What may be asked of a route, and what has to be checked before.
struct Operation: Sendable {
  typealias Run = @Sendable (SubscriptionAPI, Call) async throws -> HTTPResponse

  let method: HTTPRequestMethod
  /// Whether a token is needed.
  var isAuthenticated = true
  /// Whether header fields may name the user, and whether they have to.
  var user = UserHeader.ignored
  var readsBody = false
  let run: Run
}

/// What header fields that name the user mean to an operation.
enum UserHeader: Hashable, Sendable {
  case ignored, optional, required
}
