internal import HTTPMessages

/// An authenticator of callers by the bearer token of a request.
///
/// Cache a positive answer for at most 60 seconds, so that a revoked token stops working.
///
/// Source: linking rules, section 6.1.
public protocol Authenticator: Sendable {
  /// Returns the caller to whom a token belongs.
  ///
  /// - Parameter token: The bearer token, a secret of 1 to 4,096 visible ASCII characters.
  /// - Returns: The caller.
  /// - Throws: ``AuthenticationFailure`` if the token is not valid; any other error becomes status
  ///   500.
  func caller(token: String) async throws -> Caller
}

/// A caller of an API: an app or a service, or a user of ``CreditAPI`` or ``EntitlementAPI``.
public struct Caller: Hashable, Sendable {
  /// A name for logs; that of a user is the account identifier, which is not logged.
  public let name: String

  /// Creates a caller.
  public init(name: String) { self.name = name }
}

/// The reason that a token is not accepted.
@nonexhaustive
public enum AuthenticationFailure: Error, Hashable, Sendable {
  /// The token is missing or unknown.
  case unknownToken
  /// The token is known, but expired or no longer active.
  case inactiveToken

  var message: String {
    switch self {
    case .unknownToken: "Invalid access token"
    case .inactiveToken: "The access token is expired or no longer active"
    }
  }
}

extension Authenticator {
  /// Returns the caller to whom the bearer token of a request belongs.
  ///
  /// - Throws: ``AuthenticationFailure/unknownToken`` if there is no token, or the error of
  ///   ``Authenticator/caller(token:)``.
  func caller(of request: HTTPRequestMessage) async throws -> Caller {
    guard let token = request.headers.bearerToken else {
      throw AuthenticationFailure.unknownToken
    }
    return try await caller(token: token)
  }
}
