internal import StorekeeperCrypto
internal import StorekeeperTesting

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// An In-App Purchase key like one of App Store Connect, for requests to a simulator.
///
/// ```swift
/// let key = try SigningKey(pem: appStore.serverAPIKey.pem, keyID: appStore.serverAPIKey.keyID)
/// let signer = try ServerAPITokenSigner(
///   key: key, issuerID: appStore.serverAPIKey.issuerID, bundleID: appStore.bundleID)
/// ```
///
/// The key opens nothing but a simulator. Printing it shows its identifier only, as for a real one.
public struct TestServerAPIKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// The private key as an unencrypted PKCS#8 key on P-256 in PEM, as in a `.p8` file.
  public let pem: String
  /// The identifier of the key, of ten characters.
  public let keyID: String
  /// The identifier of the issuer, a UUID in lower case.
  public let issuerID: String

  /// Creates a key.
  ///
  /// Without an issuer it is that of a new one.
  public init(issuerID: String? = nil) throws {
    pem = try PrivateKey(generating: .p256).pem
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
    keyID = String(try SecureRandom.bytes(count: 10).map { letters[Int($0) % letters.count] })
    self.issuerID = issuerID ?? UUID().uuidString.lowercased()
  }

  /// The identifier, never the key.
  public var description: String { "TestServerAPIKey(\(keyID))" }
  /// A mirror with the identifier only.
  public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID]) }
}

/// A key that the simulator knows, with which it checks tokens.
struct RegisteredServerAPIKey: Sendable {
  let keyID: String
  let issuerID: String
  let publicKey: PublicKey

  init(_ key: TestServerAPIKey) throws {
    keyID = key.keyID
    issuerID = key.issuerID
    publicKey = try PrivateKey(pem: key.pem).publicKey
  }
}
