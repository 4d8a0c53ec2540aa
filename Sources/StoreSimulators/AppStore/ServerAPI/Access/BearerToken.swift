internal import JSONValues
internal import StorekeeperCrypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The token of a request to the server APIs.
struct BearerToken: Sendable {
  private let header: JSONValue
  private let claims: JSONValue
  private let signedBytes: [UInt8]
  private let signature: ECDSASignature

  /// Reads the value of an `Authorization` field; nil if it has no token.
  init?(authorization: String) {
    guard authorization.hasPrefix("Bearer ") else { return nil }
    guard let jws = CompactJWS(String(Substring(authorization.utf8.dropFirst(7)))),
      let header = Self.json(jws.header), let claims = Self.json(jws.payload),
      let raw = Base64.decode(jws.signature, .url), let signature = ECDSASignature(rawBytes: raw)
    else { return nil }
    self.header = header
    self.claims = claims
    self.signature = signature
    signedBytes = Array(jws.signed)
  }

  private static func json(_ part: ArraySlice<UInt8>) -> JSONValue? {
    Base64.decode(part, .url).flatMap { try? JSONValue(parsing: $0) }
  }

  /// The app that the token names, whether or not the token is valid.
  var bundleID: String? {
    if case .string(let text)? = claims["bid"] { text } else { nil }
  }

  /// Whether one of the keys signed the token for an app at a moment, as section 1 of the App Store
  /// Server API rules demands.
  ///
  /// A token need not have `iat`: those of Apple's own clients have none. A wrong one is refused.
  func isValid(for bundleID: String, at now: Date, keys: [RegisteredServerAPIKey]) -> Bool {
    guard header["alg"] == .string("ES256"), header["typ"] == .string("JWT"),
      let key = keys.first(where: { header["kid"] == .string($0.keyID) }),
      claims["iss"] == .string(key.issuerID), claims["aud"] == .string("appstoreconnect-v1"),
      claims["bid"] == .string(bundleID), isCurrent(at: now.timeIntervalSince1970),
      let digest = try? SHA256.digest(of: signedBytes)
    else { return false }
    return (try? key.publicKey.isValid(signature, forDigest: digest)) == true
  }

  /// Whether the token was issued, has not ended, and lives for an hour at most.
  private func isCurrent(at now: Double) -> Bool {
    guard let expiry = claims["exp"]?.amount, now < expiry else { return false }
    // Two clocks never agree to the millisecond, and tokens have whole seconds.
    guard let claim = claims["iat"] else { return expiry < now + 3601 }
    guard let issued = claim.amount else { return false }
    return issued < now + 1 && expiry <= issued + 3600
  }
}
