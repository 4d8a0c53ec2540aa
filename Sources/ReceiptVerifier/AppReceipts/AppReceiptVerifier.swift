public import JWSVerifier
internal import StorekeeperCrypto
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Verifies app receipts without asking Apple: signature, certificates, app and environment.
///
/// ```swift
/// let verifier = try AppReceiptVerifier(bundleIDs: ["com.example.reader"])
/// let receipt = try verifier.verify(base64: text)
/// receipt.subscriptions(at: now).first?.state
/// ```
///
/// One verifier serves any number of threads. It is synchronous and asks nobody, so it knows nothing
/// that happened after the receipt was made: no renewal, no refund. *Not* checked: whether a
/// certificate was revoked (most ended years ago), and how old the receipt is; compare
/// ``/ReceiptModels/AppReceipt/creationDate`` and
/// ``VerifiedAppReceipt/certificateSerialNumber`` where that matters.
///
/// Receipts of Xcode are always refused here; see ``XcodeReceiptVerifier``.
///
/// Source: contract on signed data, section 6; RFC 5652; RFC 5280.
public final class AppReceiptVerifier: Sendable {
  /// The apps whose receipts are accepted; nil for any.
  public let bundleIDs: Set<String>?
  /// The environments whose receipts are accepted.
  public let environments: Set<AppStoreEnvironment>
  /// When certificates have to be valid.
  public let clockPolicy: ClockPolicy

  let chainVerifier: ChainVerifier
  package let cache: ChainCache<CertificateChain>
  let now: @Sendable () -> Date

  /// Configures a verifier.
  ///
  /// - Parameters:
  ///   - bundleIDs: The apps whose receipts are accepted. With nil a receipt of any app passes,
  ///     which is for tools that look at receipts: such a receipt must grant nothing.
  ///   - environments: The environments whose receipts are accepted, by default Production only.
  ///     App Review and TestFlight buy in the Sandbox; what that grants is the host's decision, so
  ///     accepting it has to be written down.
  ///   - trustAnchors: Where chains must end; by default Apple's root for receipts. A root that
  ///     is trusted by its fingerprint has to be among the embedded certificates, as Apple's is.
  ///   - clockPolicy: When certificates have to be valid; by default when the receipt was made.
  ///     Most genuine receipts fail at ``/JWSVerifier/ClockPolicy/now``.
  ///   - cache: How much is remembered of certificates.
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
  /// - Parameters:
  ///   - text: The receipt in standard base64; line breaks and white space around it are left out.
  ///   - expectation: What else has to hold, such as the device.
  /// - Returns: The receipt with where it is from.
  /// - Throws: ``ReceiptFailure``; nothing of the receipt is released then.
  public func verify(
    base64 text: String, expecting expectation: ReceiptExpectation = ReceiptExpectation()
  ) throws(ReceiptFailure) -> VerifiedAppReceipt {
    try verify(try ReceiptInput(text: text), expecting: expectation)
  }

  /// Verifies a receipt in DER, as it lies in the app's bundle.
  ///
  /// - Parameters:
  ///   - bytes: The receipt.
  ///   - expectation: What else has to hold, such as the device.
  /// - Returns: The receipt with where it is from.
  /// - Throws: ``ReceiptFailure``; nothing of the receipt is released then.
  public func verify(
    der bytes: [UInt8], expecting expectation: ReceiptExpectation = ReceiptExpectation()
  ) throws(ReceiptFailure) -> VerifiedAppReceipt {
    try verify(try ReceiptInput(bytes: bytes), expecting: expectation)
  }

  /// Verifies a receipt that was recognised before.
  ///
  /// - Parameters:
  ///   - input: What came, recognised and decoded from base64.
  ///   - expectation: What else has to hold, such as the device.
  /// - Returns: The receipt with where it is from.
  /// - Throws: ``ReceiptFailure``; nothing of the receipt is released then.
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
