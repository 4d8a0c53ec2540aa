public import JWSVerifier

/// A provider of the In-App Purchase key with which requests to Apple are signed.
///
/// The client asks it at each request, so a new key takes effect without a restart: keep the present
/// key in memory, replace it when it is rotated, and return it here.
///
/// Source: Apple, "Creating API keys to authorize API requests".
public protocol SigningKeyProvider: Sendable {
  /// Returns the key for the next request.
  ///
  /// - Throws: Any error; the request is not sent then.
  func signingKey() async throws -> SigningKey
}

/// A key provides itself.
extension SigningKey: SigningKeyProvider {
  /// Returns this key.
  public func signingKey() -> SigningKey { self }
}
