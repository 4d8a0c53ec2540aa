internal import StorekeeperCrypto
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A payload that Apple signed for one of our apps; only a verifier makes one.
///
/// It proves that Apple said this, not that the user who sent it owns it: bind it to an account by
/// `appAccountToken`, and keep one owner for each original transaction id and environment.
public struct Verified<Payload: Sendable>: Sendable {
  /// What Apple signed.
  public let payload: Payload
  /// Where the purchase was made, by Apple's word.
  public let environment: AppStoreEnvironment
  /// The bundle id that the payload names and that is ours; nil when this kind of payload names
  /// none, so that the app is *not* proven.
  ///
  /// Renewal info and realtime requests name none. A renewal info inside a notification or beside a
  /// transaction is proven by its company.
  public let bundleID: String?
  /// When Apple signed, or nil when the payload does not say.
  public let signedDate: Date?
  /// The token as it came.
  public let token: String
  /// The signed bytes of JSON, for whoever wants to store or read them.
  public let payloadBytes: [UInt8]
  /// What an online check of the certificates found, if there was one.
  public let revocation: RevocationStatus

  let chain: CertificateChain
  /// The chains of the signed data inside, when there is some.
  var nestedChains: [CertificateChain] = []

  /// The serial number of the certificate that signed, in lower-case hexadecimal.
  public var certificateSerialNumber: String { chain.leaf.serialNumber }

  /// The same evidence with another view of the payload.
  func with<Other>(
    _ payload: Other, nestedChains: [CertificateChain]
  ) -> Verified<Other> {
    Verified<Other>(
      payload: payload, environment: environment, bundleID: bundleID, signedDate: signedDate,
      token: token, payloadBytes: payloadBytes, revocation: revocation, chain: chain,
      nestedChains: nestedChains)
  }

  /// The same after an online check.
  func with(revocation: RevocationStatus) -> Verified {
    Verified(
      payload: payload, environment: environment, bundleID: bundleID, signedDate: signedDate,
      token: token, payloadBytes: payloadBytes, revocation: revocation, chain: chain,
      nestedChains: nestedChains)
  }
}

extension Verified: Equatable where Payload: Equatable {
  /// Whether both are the same token, verified with the same result.
  public static func == (left: Verified, right: Verified) -> Bool {
    left.token == right.token && left.payload == right.payload
      && left.revocation == right.revocation
  }
}

extension Verified: CustomStringConvertible, CustomReflectable {
  /// The kind and the environment, never the token or the payload.
  public var description: String { "Verified<\(Payload.self)>(\(environment))" }

  /// Empty, so that `dump` shows no data of a customer.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
