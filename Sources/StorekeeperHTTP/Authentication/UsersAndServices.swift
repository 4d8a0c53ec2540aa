internal import HTTPMessages
internal import ReceiptModels

/// The authenticators of an API to which users come with their sessions, and trusted services with tokens of
/// their own.
struct UsersAndServices: Sendable {
  let users: (any Authenticator)?
  let services: (any Authenticator)?

  /// Returns the caller of a request.
  ///
  /// - Throws: ``AuthenticationFailure``, or an error of an authenticator.
  func caller(of request: HTTPRequestMessage) async throws -> EntitlementCaller {
    if let services, let service = try await caller(of: request, by: services) {
      return .service(name: service.name)
    }
    // Nothing is trimmed: an identifier with white space around it is another one.
    guard let users, let user = try await caller(of: request, by: users),
      let id = try? AccountID(opaque: user.name)
    else { throw AuthenticationFailure.unknownToken }
    return .user(id)
  }

  /// Returns the caller of a request, or nil if the authenticator does not know the token.
  private func caller(
    of request: HTTPRequestMessage, by authenticator: any Authenticator
  ) async throws -> Caller? {
    do {
      return try await authenticator.caller(of: request)
    } catch AuthenticationFailure.unknownToken {
      return nil
    }
  }
}
