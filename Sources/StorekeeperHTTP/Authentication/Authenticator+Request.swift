internal import HTTPMessages

extension Authenticator {
  /// Returns the caller to whom the bearer token of a request belongs.
  ///
  /// - Throws: ``AuthenticationFailure/unknownToken`` if there is no token, or the error of
  ///   ``Authenticator/caller(token:)``.
  func caller(of request: HTTPRequest) async throws -> Caller {
    guard let token = request.headers.bearerToken else {
      throw AuthenticationFailure.unknownToken
    }
    return try await caller(token: token)
  }
}
