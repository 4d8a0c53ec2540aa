public import JWSVerifier
internal import StorekeeperCrypto
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A verifier of app receipts that does not ask Apple: it checks signature, certificates, app and
/// environment.
///
/// ```swift
/// let verifier = try AppReceiptVerifier(bundleIDs: ["com.example.reader"])
/// let receipt = try verifier.verify(base64: text)
/// receipt.subscriptions(at: now).first?.state
/// ```
///
/// A verifier can be used from any number of threads. It is synchronous and uses no network, so it
/// does not know of events after the receipt was created, such as renewals and refunds. *Not*
/// checked: whether a certificate was revoked (most expired years ago), and the age of the receipt;
/// compare ``/ReceiptModels/AppReceipt/creationDate`` and
/// ``VerifiedAppReceipt/certificateSerialNumber`` where that matters.
///
/// Receipts from Xcode are always refused; see ``XcodeReceiptVerifier``. Source:
/// `Documentation/rules/app-store-rules.md`; RFC 5652; RFC 5280.
public final class AppReceiptVerifier: Sendable {
  /// The apps whose receipts are accepted; nil for any.
  public let bundleIDs: Set<String>?
  public let environments: Set<AppStoreEnvironment>
  public let clockPolicy: ClockPolicy

  let chainVerifier: ChainVerifier
  package let cache: ChainCache<CertificateChain>
  let now: @Sendable () -> Date

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - bundleIDs: The apps whose receipts are accepted. With nil a receipt of any app is
  ///     accepted, which is for tools that inspect receipts: grant nothing on the basis of such a
  ///     receipt.
  ///   - environments: The environments whose receipts are accepted, by default only Production.
  ///     App Review and TestFlight buy in the Sandbox; the host must opt in, because it decides
  ///     what such a purchase grants.
  ///   - trustAnchors: The roots at which chains must end; by default Apple's root for receipts. A
  ///     root that is trusted by its fingerprint must be among the embedded certificates, as
  ///     Apple's is.
  ///   - clockPolicy: The time at which certificates must be valid; by default the creation date of
  ///     the receipt. Most genuine receipts fail with ``/JWSVerifier/ClockPolicy/now``.
  ///   - cache: The limits of the cache of verified certificates.
  ///   - now: The current time.
  /// - Throws: ``ReceiptConfigurationFailure``.
  public init(
    bundleIDs: Set<String>?,
    environments: Set<AppStoreEnvironment> = [.production],
    trustAnchors: [TrustAnchor] = [.appleRootCA],
    clockPolicy: ClockPolicy = .signedDate,
    cache: SignedDataVerifier.CacheLimits = SignedDataVerifier.CacheLimits(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(ReceiptConfigurationFailure) {
    try ReceiptConfigurationFailure.check(bundleIDs)
    guard !environments.isEmpty else { throw .noEnvironment }
    for environment in environments where environment != .production && environment != .sandbox {
      throw .environmentNotSigned(environment)
    }
    guard !trustAnchors.isEmpty else { throw .noTrustAnchor }
    self.bundleIDs = bundleIDs
    self.environments = environments
    self.clockPolicy = clockPolicy
    self.now = now
    self.cache = ChainCache(bound: cache.entries, lifetime: cache.lifetime)
    chainVerifier = ChainVerifier(anchors: trustAnchors, rules: .receipt)
  }

  /// Verifies a receipt in base64, as apps send it.
  ///
  /// The text is standard base64, of which line breaks and surrounding white space are ignored.
  public func verify(
    base64 text: String, expecting expectation: ReceiptExpectation = ReceiptExpectation()
  ) throws(ReceiptFailure) -> VerifiedAppReceipt {
    try verify(try ReceiptInput(text: text), expecting: expectation)
  }

  /// Verifies a receipt in DER, as it lies in the app's bundle.
  public func verify(
    der bytes: [UInt8], expecting expectation: ReceiptExpectation = ReceiptExpectation()
  ) throws(ReceiptFailure) -> VerifiedAppReceipt {
    try verify(try ReceiptInput(bytes: bytes), expecting: expectation)
  }

  /// Verifies a receipt whose kind was recognized before.
  public func verify(
    _ input: ReceiptInput, expecting expectation: ReceiptExpectation = ReceiptExpectation()
  ) throws(ReceiptFailure) -> VerifiedAppReceipt {
    guard input.kind == .appReceipt else { throw .inputKind(input.kind) }
    let now = now()
    let (payload, chain) = try authenticPayload(of: input.bytes, at: now)
    let receipt = try payload.receipt()
    let environment = try receipt.acceptedEnvironment(
      bundleIDs: bundleIDs, environments: environments)
    try expectation.check(receipt, at: now)
    return VerifiedAppReceipt(
      receipt: receipt, environment: environment, bytes: input.bytes,
      certificateSerialNumber: chain.leaf.serialNumber)
  }
}
