/// Tells who asks, by the token that a request carries.
///
/// A positive answer may be kept for 60 seconds at most, so that a withdrawn token stops working.
///
/// Source: contract on linking, section 6.1.
public protocol Authenticator: Sendable {
  /// Who has this token.
  ///
  /// - Parameter token: What stands behind `Bearer`: 1 to 4,096 visible ASCII characters. A secret.
  /// - Returns: Who it is.
  /// - Throws: ``AuthenticationFailure`` when nobody has it; any other error becomes status 500.
  func caller(token: String) async throws -> Caller
}

/// Who asks: an app or a service, not a user.
public struct Caller: Hashable, Sendable {
  /// A name for logs.
  public let name: String

  /// A caller.
  public init(name: String) { self.name = name }
}

/// Why a token opens nothing.
public enum AuthenticationFailure: Error, Hashable, Sendable {
  /// There is none, or nobody has it.
  case unknownToken
  /// Somebody had it: it is expired or no longer active.
  case inactiveToken

  var message: String {
    switch self {
    case .unknownToken: "Invalid access token"
    case .inactiveToken: "The access token is expired or no longer active"
    }
  }
}
