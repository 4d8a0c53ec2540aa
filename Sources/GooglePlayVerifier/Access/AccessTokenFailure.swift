public import HTTPMessages
public import JSONValues

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A reason why there is no access token.
///
/// None of them says anything about a purchase.
///
/// Source: RFC 6749 section 5.2; Google, "Using OAuth 2.0 for server to server applications".
@nonexhaustive
public enum AccessTokenFailure: Error, Hashable, Sendable {
  case signing
  /// Google refused the request (`invalid_grant`), and our clock is ahead of Google's by this
  /// time, or behind it if negative, which is more than a minute.
  case clockSkew(Duration)
  /// Google refused the request (`invalid_grant`): the key or the account was deleted or disabled, or
  /// the clock is wrong and Google's answer had no date.
  case invalidGrant
  /// Google does not know the scope (`invalid_scope`), or the account must not use it.
  case invalidScope
  /// Google does not know the account (`invalid_client`).
  case invalidClient
  /// Google refused the request with another status and another code, if it is one.
  case refused(status: Int, error: String?)
  case rateLimited(retryAfter: Date?)
  case backendError(status: Int, retryAfter: Date?)
  case notJSON
  case malformedAnswer(FieldTypeFailure)
  case transport(HTTPTransportFailure.Reason)
  case cancelled
}
