internal import HTTPMessages
public import ReceiptModels

/// An authenticator of callers by the bearer token of a request.
///
/// Cache a positive answer for at most 60 seconds, so that a revoked token stops working. Source: linking rules,
/// section 6.1.
public protocol Authenticator: Sendable {
  /// Returns the caller to whom a bearer token belongs, a secret of 1 to 4,096 visible ASCII characters.
  ///
  /// - Throws: ``AuthenticationFailure`` if the token is not valid; any other error becomes status 500.
  func caller(token: String) async throws -> Caller
}

/// A caller of an API: an app or a service, or a user of ``CreditAPI`` or ``EntitlementAPI``.
public struct Caller: Hashable, Sendable {
  /// A name for logs; that of a user is the account identifier, which is not logged.
  public let name: String

  /// Creates a caller.
  public init(name: String) { self.name = name }
}

/// A caller of ``EntitlementAPI`` or ``OrderAPI``.
///
/// Source: entitlement rules, section 7.
public enum EntitlementCaller: Hashable, Sendable {
  /// A user, by the token of a session.
  case user(AccountID)
  /// A service that the host trusts, by a token of its own.
  case service(name: String)

  var name: String {
    switch self {
    case .user(let id): id.rawValue
    case .service(let name): name
    }
  }

  /// Returns whether the caller may act for a user, by the rule for hosts without one of their own: users
  /// act for themselves, and services for everybody.
  public func mayAct(for userID: AccountID) -> Bool {
    switch self {
    case .user(let id): id == userID
    case .service: true
    }
  }
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

extension HTTPHeaders {
  /// The bearer token in the `Authorization` header field, or nil if there is none, if the field
  /// appears more than once or if the token is malformed.
  ///
  /// Source: RFC 6750 section 2.1; linking rules, section 6.1.
  fileprivate var bearerToken: String? {
    let values = values(for: .authorization)
    guard values.count == 1, let value = values.first, value.utf8.count <= 4096 + 7 else {
      return nil
    }
    // White space around the value is not part of it.
    let scheme = value.utf8.prefix { $0 != UInt8(ascii: " ") }
    let token = value.utf8[scheme.endIndex...].drop { $0 == UInt8(ascii: " ") }
    guard !token.isEmpty, token.allSatisfy({ (0x21...0x7E).contains($0) }),
      scheme.elementsEqual("bearer".utf8, by: { $0 | 0x20 == $1 })
    else { return nil }
    return String(Substring(token))
  }
}
