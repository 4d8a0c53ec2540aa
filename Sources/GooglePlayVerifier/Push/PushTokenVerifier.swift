public import HTTPMessages
internal import JSONValues
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A verifier of the bearer tokens with which Pub/Sub signs its requests to us.
///
/// ```swift
/// let tokens = try PushTokenVerifier(
///   configuration: .init(
///     audience: "https://api.example.com/play", email: "push@reader.iam.gserviceaccount.com"),
///   transport: transport)
///
/// try await tokens.check(authorization: request.headers[.authorization])
/// let push = try PubSubPush(parsing: request.body)
/// ```
///
/// Google's keys are fetched when they are needed and kept as long as Google allows. When Google is
/// away, the keys that we have serve on for a while. A token with an unknown key makes us ask, but only
/// once in a while, whoever sends it.
///
/// Source: Google Cloud, "Authentication for push subscriptions"; OpenID Connect Core 1.0 section
/// 3.1.3.7; RFC 7515.
public final class PushTokenVerifier: Sendable {
  /// The maximum length of a token in bytes.
  public static let maximumLength = 16_384

  /// The issuers of Google's tokens.
  private static let issuers = ["https://accounts.google.com", "accounts.google.com"]

  /// The claims that are accepted, and the keys.
  public let configuration: Configuration
  private let keys: KeySetCache
  private let now: @Sendable () -> Date

  /// Creates a verifier without keys.
  public init(
    configuration: Configuration, transport: any HTTPTransport,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(ConfigurationFailure) {
    try configuration.check()
    self.configuration = configuration
    self.now = now
    keys = KeySetCache(configuration: configuration, transport: transport, now: now)
  }

  /// Checks the field `Authorization` of a request.
  public func check(authorization: String?) async throws(PushTokenFailure) {
    guard let authorization else { throw .missing }
    let parts = authorization.utf8.split(
      separator: UInt8(ascii: " "), maxSplits: 1, omittingEmptySubsequences: false)
    // The name of the scheme has no case (RFC 9110 section 11.1).
    guard parts.count == 2, String(decoding: parts[0], as: UTF8.self).lowercased() == "bearer",
      !parts[1].isEmpty
    else { throw .missing }
    try await check(token: String(decoding: parts[1], as: UTF8.self))
  }

  /// Checks a token.
  public func check(token: String) async throws(PushTokenFailure) {
    let token = try SignedPushToken(token)
    let key = try await keys.key(id: token.keyID)
    guard key.isValid(token.signature, of: token.signedBytes) else { throw .invalidSignature }
    let claims: PushClaims
    do throws(FieldTypeFailure) { claims = try PushClaims(token.payload) } catch {
      throw .malformedClaim(error)
    }
    try check(claims)
  }

  private func check(_ claims: PushClaims) throws(PushTokenFailure) {
    guard Self.issuers.contains(where: claims.issuer.isSameText) else { throw .wrongIssuer }
    guard claims.audience.isSameText(as: configuration.audience) else { throw .wrongAudience }
    guard claims.email.isSameText(as: configuration.email) else { throw .wrongEmail }
    guard claims.isEmailVerified else { throw .emailNotVerified }
    let (now, leeway) = (now().timeIntervalSince1970, configuration.leeway.timeInterval)
    guard now < claims.expiry + leeway else { throw .expired }
    guard claims.issued <= now + leeway else { throw .issuedInFuture }
  }
}
