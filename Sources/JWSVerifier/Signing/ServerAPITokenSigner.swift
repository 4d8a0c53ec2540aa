internal import JSONValues
internal import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A signer of the bearer tokens that authorize requests to the App Store Server API.
///
/// Source: Apple, "Generating JSON Web Tokens for API requests".
public struct ServerAPITokenSigner: Sendable {
  private let key: SigningKey
  private let issuerID: String
  private let bundleID: String
  private let lifetime: Duration

  /// The longest lifetime that Apple accepts.
  public static let maximumLifetime = Duration.seconds(3600)

  /// Creates a signer.
  ///
  /// - Parameters:
  ///   - key: An In-App Purchase key of App Store Connect.
  ///   - issuerID: The issuer ID that App Store Connect shows above the keys, a UUID.
  ///   - bundleID: The bundle ID of the app that the requests concern.
  ///   - lifetime: The lifetime of a token, from a second to an hour.
  /// - Throws: ``SigningFailure``.
  public init(
    key: SigningKey, issuerID: String, bundleID: String, lifetime: Duration = .seconds(300)
  ) throws(SigningFailure) {
    guard UUID(uuidString: issuerID) != nil else { throw .issuerNotUUID }
    guard !bundleID.isEmpty else { throw .emptyBundleID }
    guard lifetime >= .seconds(1), lifetime <= Self.maximumLifetime else {
      throw .lifetimeOutOfRange(lifetime)
    }
    self.key = key
    self.issuerID = issuerID
    self.bundleID = bundleID
    self.lifetime = lifetime
  }

  /// Creates a signer with the default lifetime of an issuer ID that is known to be a UUID.
  package init(key: SigningKey, checkedIssuerID issuerID: String, bundleID: String) {
    self.key = key
    self.issuerID = issuerID
    self.bundleID = bundleID
    lifetime = .seconds(300)
  }

  /// Returns a token that is valid from `date` on; use a new one for each request.
  ///
  /// The times are written in whole seconds.
  public func token(at date: Date) throws(SigningFailure) -> String {
    let issued = date.timeIntervalSince1970.rounded(.down)
    return try key.token(claims: [
      "iss": .string(issuerID),
      "iat": .number(issued),
      "exp": .number(issued + lifetime.timeInterval.rounded(.down)),
      "aud": .string("appstoreconnect-v1"),
      "bid": .string(bundleID),
    ])
  }
}
