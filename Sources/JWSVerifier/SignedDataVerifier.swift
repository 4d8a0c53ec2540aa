internal import StorekeeperCrypto
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Verifies what Apple signs as a JWS: transactions, renewal infos, notifications, app transactions
/// and realtime requests.
///
/// ```swift
/// let verifier = try SignedDataVerifier(
///   apps: [App(bundleID: "com.example.reader", appAppleID: 1_234_567_890)],
///   environments: [.production, .sandbox])
/// let transaction = try verifier.transaction(signedTransactionInfo)
/// ```
///
/// One verifier serves any number of threads. It is synchronous: it computes and never waits, and
/// asks nobody; see ``checkingRevocation(of:)`` for the online step. Nothing of a payload is
/// believed before its signature is verified, but for the time of signing, which chooses when the
/// certificates have to be valid (``ClockPolicy``).
///
/// Data of Xcode and of local tests is not signed by Apple and is always refused here; see
/// ``LocalTestDataReader``.
///
/// Source: contract on signed data, sections 1 and 2; RFC 7515; RFC 5280.
public final class SignedDataVerifier: Sendable {
  /// The apps whose data is accepted.
  public let apps: [App]
  /// The environments whose data is accepted.
  public let environments: Set<AppStoreEnvironment>
  /// When certificates have to be valid.
  public let clockPolicy: ClockPolicy

  let revocationChecker: RevocationChecker?
  let cache: ChainCache<ChainVerdict>
  let chainVerifier: ChainVerifier
  let now: @Sendable () -> Date

  /// Why a verifier cannot be configured so.
  @nonexhaustive
  public enum ConfigurationFailure: Error, Hashable, Sendable {
    /// No app is named.
    case noApp
    /// An app has an empty bundle id.
    case emptyBundleID
    /// Two apps have the same bundle id.
    case repeatedBundleID(String)
    /// Production is accepted, but this app has no Apple id to compare with.
    case missingAppAppleID(bundleID: String)
    /// No environment is accepted.
    case noEnvironment
    /// Apple signs no data for this environment.
    case environmentNotSigned(AppStoreEnvironment)
    /// There is nothing that a chain could end at.
    case noTrustAnchor
  }

  /// Configures a verifier.
  ///
  /// - Parameters:
  ///   - apps: The apps whose data is accepted, one or more; each needs its Apple id when
  ///     Production is accepted.
  ///   - environments: The environments whose data is accepted. The signed environment decides,
  ///     so Production and Sandbox can be served side by side, as is needed while Apple reviews an
  ///     app; ``Verified/environment`` tells them apart.
  ///   - trustAnchors: Where chains must end; by default Apple's root for signed data.
  ///   - clockPolicy: When certificates have to be valid.
  ///   - cache: How much is remembered of certificates.
  ///   - revocationChecker: Asks Apple whether certificates were revoked, for
  ///     ``checkingRevocation(of:)``.
  ///   - now: The current time.
  /// - Throws: ``ConfigurationFailure``.
  public init(
    apps: [App],
    environments: Set<AppStoreEnvironment>,
    trustAnchors: [TrustAnchor] = [.appleRootCAG3],
    clockPolicy: ClockPolicy = .signedDate,
    cache: CacheLimits = CacheLimits(),
    revocationChecker: RevocationChecker? = nil,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(ConfigurationFailure) {
    try Self.check(environments)
    guard !trustAnchors.isEmpty else { throw .noTrustAnchor }
    try Self.check(apps, forProduction: environments.contains(.production))
    self.apps = apps
    self.environments = environments
    self.clockPolicy = clockPolicy
    self.cache = ChainCache(bound: cache.entries, lifetime: cache.lifetime)
    self.chainVerifier = ChainVerifier(anchors: trustAnchors, rules: .signedData)
    self.revocationChecker = revocationChecker
    self.now = now
  }

  /// How much a verifier remembers of certificates that it verified.
  public struct CacheLimits: Hashable, Sendable {
    /// How many different headers, at the most; zero for none.
    public var entries: Int
    /// How long, in seconds.
    public var lifetime: TimeInterval

    /// Sets both limits.
    public init(entries: Int = 64, lifetime: TimeInterval = 900) {
      self.entries = entries
      self.lifetime = lifetime
    }
  }

  private static func check(
    _ environments: Set<AppStoreEnvironment>
  ) throws(ConfigurationFailure) {
    guard !environments.isEmpty else { throw .noEnvironment }
    for environment in environments where environment != .production && environment != .sandbox {
      throw .environmentNotSigned(environment)
    }
  }

  private static func check(
    _ apps: [App], forProduction: Bool
  ) throws(ConfigurationFailure) {
    guard !apps.isEmpty else { throw .noApp }
    for (index, app) in apps.enumerated() {
      guard !app.bundleID.isEmpty else { throw .emptyBundleID }
      guard !apps[..<index].contains(where: { $0.bundleID.isSameText(as: app.bundleID) }) else {
        throw .repeatedBundleID(app.bundleID)
      }
      guard !forProduction || app.appAppleID != nil else {
        throw .missingAppAppleID(bundleID: app.bundleID)
      }
    }
  }
}

extension Set<AppStoreEnvironment> {
  /// Both environments in which Apple signs data: Production and Sandbox.
  ///
  /// App Review buys in the Sandbox with the production build. Whether a Sandbox purchase grants
  /// anything remains the host's decision.
  public static var auto: Set<AppStoreEnvironment> { [.production, .sandbox] }
}
