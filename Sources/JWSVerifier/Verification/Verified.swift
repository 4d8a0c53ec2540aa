internal import StorekeeperCrypto
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A payload that Apple signed for one of our apps, as only a verifier creates it.
///
/// It proves that Apple signed the payload, not that the user who sent it owns the purchase. Bind
/// it to an account by `appAccountToken`, and keep one owner for each original transaction ID and
/// environment.
public struct Verified<Payload: Sendable>: Sendable {
  public let payload: Payload
  /// The environment of the purchase, as Apple signed it.
  public let environment: AppStoreEnvironment
  /// The bundle ID of the payload, which is one of ours; nil if this kind of payload names none, so
  /// that the app is *not* proven.
  ///
  /// Renewal info and realtime requests name none. For renewal info inside a notification or beside
  /// a transaction, those prove the app.
  public let bundleID: String?
  public let signedDate: Date?
  public let token: String
  /// The signed JSON, to be stored or parsed.
  public let payloadBytes: [UInt8]
  /// The result of an online check of the certificates, if there was one.
  public let revocation: RevocationStatus

  let chain: CertificateChain
  /// The chains of the signed data inside, if any.
  var nestedChains: [CertificateChain] = []

  /// The serial number of the certificate that signed, in lower-case hexadecimal.
  public var certificateSerialNumber: String { chain.leaf.serialNumber }

  /// Returns the same evidence with another view of the payload.
  func with<Other>(
    _ payload: Other, nestedChains: [CertificateChain]
  ) -> Verified<Other> {
    Verified<Other>(
      payload: payload, environment: environment, bundleID: bundleID, signedDate: signedDate,
      token: token, payloadBytes: payloadBytes, revocation: revocation, chain: chain,
      nestedChains: nestedChains)
  }

  /// Returns the same value with the result of an online check.
  func with(revocation: RevocationStatus) -> Verified {
    Verified(
      payload: payload, environment: environment, bundleID: bundleID, signedDate: signedDate,
      token: token, payloadBytes: payloadBytes, revocation: revocation, chain: chain,
      nestedChains: nestedChains)
  }
}

extension Verified: Equatable where Payload: Equatable {
  /// Returns whether both are the same token with the same result.
  public static func == (left: Verified, right: Verified) -> Bool {
    left.token == right.token && left.payload == right.payload
      && left.revocation == right.revocation
  }
}

extension Verified: CustomStringConvertible, CustomReflectable {
  /// The kind of payload and the environment, never the token or the payload.
  public var description: String { "Verified<\(Payload.self)>(\(environment))" }

  /// An empty mirror, so that `dump` shows no customer data.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
