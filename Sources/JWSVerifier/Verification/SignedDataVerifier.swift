internal import StorekeeperCrypto
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A verifier of data that Apple signs as a JWS: transactions, renewal infos, notifications, app
/// transactions and realtime requests.
///
/// ```swift
/// let verifier = try SignedDataVerifier(
///   apps: [App(bundleID: "com.example.reader", appAppleID: 1_234_567_890)],
///   environments: [.production, .sandbox])
/// let transaction = try verifier.transaction(signedTransactionInfo)
/// ```
///
/// A token is a compact JWS of at most 256 KiB. A verifier can be used from any number of threads. It is synchronous and uses no network; see
/// ``checkingRevocation(of:)`` for the online check. It trusts no part of a payload before the
/// signature is verified, with one exception: the signing date chooses the time at which the
/// certificates must be valid (``ClockPolicy``).
///
/// Data from Xcode and from local tests is not signed by Apple and is always refused; see ``LocalTestDataReader``.
/// Source: `Documentation/rules/app-store-rules.md`; RFC 7515; RFC 5280.
public final class SignedDataVerifier: Sendable {
  public let apps: [App]
  public let environments: Set<AppStoreEnvironment>
  /// The time at which certificates must be valid, and the limits of the cache.
  public let configuration: Configuration

  let revocationChecker: RevocationChecker?
  package var checksRevocation: Bool { revocationChecker != nil }
  let cache: ChainCache<ChainVerdict>
  let chainVerifier: ChainVerifier
  let now: @Sendable () -> Date

  /// Creates a verifier.
  ///
  /// - Parameters:
  ///   - apps: The apps whose data is accepted, one or more; each needs its Apple ID when
  ///     Production is accepted.
  ///   - environments: The environments whose data is accepted. The signed environment decides, so
  ///     Production and Sandbox can be served side by side, as App Review requires;
  ///     ``Verified/environment`` tells them apart.
  ///   - trustAnchors: The roots at which chains must end; by default Apple's root for signed data.
  ///   - configuration: The time at which certificates must be valid, and the limits of the cache.
  ///   - revocationChecker: The checker for ``checkingRevocation(of:)``.
  ///   - now: The current time.
  /// - Throws: ``ConfigurationFailure``.
  public init(
    apps: [App],
    environments: Set<AppStoreEnvironment>,
    trustAnchors: [TrustAnchor] = [.appleRootCAG3],
    configuration: Configuration = Configuration(),
    revocationChecker: RevocationChecker? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(ConfigurationFailure) {
    try Self.check(environments)
    guard !trustAnchors.isEmpty else { throw .noTrustAnchor }
    try Self.check(apps, forProduction: environments.contains(.production))
    self.apps = apps
    self.environments = environments
    self.configuration = configuration
    let limits = configuration.cache
    self.cache = ChainCache(bound: limits.entries, lifetime: limits.lifetime)
    self.chainVerifier = ChainVerifier(anchors: trustAnchors, rules: .signedData)
    self.revocationChecker = revocationChecker
    self.now = now
  }
}
