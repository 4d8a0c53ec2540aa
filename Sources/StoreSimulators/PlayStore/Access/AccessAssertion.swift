internal import HTTPMessages
internal import JSONValues
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A signed request for an access token, a JWT with RS256.
///
/// Source: RFC 7523, and Google's "Using OAuth 2.0 for Server to Server Applications".
struct AccessAssertion: Sendable {
  private let header: JSONValue
  private let claims: JSONValue
  private let signedBytes: [UInt8]
  private let signature: [UInt8]

  /// The seconds by which clocks may differ.
  private static let tolerance = 300.0

  init(_ text: String) throws(TokenRefusal) {
    guard let jws = CompactJWS(text), let header = Self.json(jws.header),
      let claims = Self.json(jws.payload), let signature = Base64.decode(jws.signature, .url)
    else { throw .invalidGrant("Invalid JWT: it cannot be read") }
    self.header = header
    self.claims = claims
    self.signature = signature
    signedBytes = Array(jws.signed)
  }

  private static func json(_ part: ArraySlice<UInt8>) -> JSONValue? {
    guard let value = Base64.decode(part, .url).flatMap({ try? JSONValue(parsing: $0) }),
      case .object = value
    else { return nil }
    return value
  }

  /// Checks the request, and returns the scopes that it asks for.
  func scopes(_ access: PlayAccess, at now: Date) throws(TokenRefusal) -> [String] {
    guard claims["iss"]?.text == access.clientEmail else {
      throw .invalidGrant("Invalid grant: there is no such account")
    }
    guard !access.isDisabled else {
      throw TokenRefusal("invalid_client", "The account is disabled", status: .unauthorized)
    }
    guard header["alg"]?.text == "RS256", isSigned(by: access) else {
      throw .invalidGrant("Invalid JWT Signature.")
    }
    try checkTime(at: now)
    guard
      claims["aud"]?.text == TestServiceAccount.googleTokenURI
        || claims["aud"]?.text == access.tokenURI
    else { throw .invalidGrant("Invalid JWT: the audience is another") }
    return try scopes()
  }

  private func isSigned(by access: PlayAccess) -> Bool {
    // Without an identifier Google tries every key of the account.
    let keys =
      header["kid"].map { id in id.text.flatMap { access.keys[$0] }.map { [$0] } ?? [] }
      ?? Array(access.keys.values)
    return keys.contains { $0.isValid(signature, of: signedBytes) }
  }

  private func checkTime(at now: Date) throws(TokenRefusal) {
    let seconds = now.timeIntervalSince1970
    guard let issued = claims["iat"]?.amount, let expiry = claims["exp"]?.amount,
      issued <= seconds + Self.tolerance, seconds < expiry + Self.tolerance, issued < expiry,
      expiry - issued <= 3600
    else {
      throw .invalidGrant("Invalid JWT: iat and exp are not within an hour of now")
    }
  }

  private func scopes() throws(TokenRefusal) -> [String] {
    let scopes = (claims["scope"]?.text ?? "").split(separator: " ").map(String.init)
    guard !scopes.isEmpty else { throw TokenRefusal("invalid_scope", "The scope is missing") }
    guard scopes.allSatisfy({ $0.hasPrefix("https://www.googleapis.com/auth/") }) else {
      throw TokenRefusal("invalid_scope", "There is no such scope")
    }
    return scopes
  }
}
