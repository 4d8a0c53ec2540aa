internal import StorekeeperCrypto
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The account that may ask, its keys, and the access tokens that are out.
struct PlayAccess: Sendable {
  let clientEmail: String
  /// The address that requests for access tokens may name as their audience, besides Google's.
  var tokenURI: String
  /// The keys of the account, by identifier.
  var keys: [String: RSAPublicKey]
  /// Whether the account is turned off.
  var isDisabled = false
  private var tokens: [String: Token] = [:]

  struct Token: Sendable {
    let expiry: Date
    let scopes: [String]
  }

  /// The seconds for which an access token is valid.
  static let lifetime = 3599
  static let publisherScope = "https://www.googleapis.com/auth/androidpublisher"

  init(_ account: TestServiceAccount) {
    clientEmail = account.clientEmail
    tokenURI = account.tokenURI
    keys = [account.privateKeyID: account.publicKey]
  }

  mutating func issue(_ scopes: [String], at now: Date) -> String {
    let token = PlayToken.access()
    tokens = tokens.filter { $0.value.expiry > now }
    tokens[token] = Token(expiry: now.addingTimeInterval(Double(Self.lifetime)), scopes: scopes)
    return token
  }

  func token(_ text: String, at now: Date) -> Token? {
    tokens[text].flatMap { now < $0.expiry ? $0 : nil }
  }

  /// Makes all access tokens invalid.
  mutating func revokeTokens() { tokens = [:] }
}

extension PlayStoreSimulator {
  /// Makes all access tokens invalid: requests with them are answered with 401 `authError`.
  public func revokeAccessTokens() { state.withLock { $0.access.revokeTokens() } }

  /// Deletes the key of ``serviceAccount``: requests for access tokens are answered with `invalid_grant`.
  public func deleteServiceAccountKey() { state.withLock { $0.access.keys = [:] } }

  /// Turns ``serviceAccount`` off: requests for access tokens are answered with 401 `invalid_client`.
  public func disableServiceAccount() { state.withLock { $0.access.isDisabled = true } }
}
