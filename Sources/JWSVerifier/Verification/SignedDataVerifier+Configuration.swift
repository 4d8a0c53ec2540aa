internal import JSONValues
public import ReceiptModels

/// An app whose purchases a server accepts.
public struct App: Hashable, Sendable {
  /// The bundle ID, compared byte for byte.
  public let bundleID: String
  /// Apple's number for the app, as in its App Store address; required for Production.
  public let appAppleID: Int?

  /// Creates an app.
  public init(bundleID: String, appAppleID: Int? = nil) {
    self.bundleID = bundleID
    self.appAppleID = appAppleID
  }
}

/// The time at which certificates must be valid.
///
/// Source: `Documentation/rules/app-store-rules.md`.
@nonexhaustive
public enum ClockPolicy: Hashable, Sendable {
  /// The time at which Apple says that it signed, or the current time when the data has none.
  ///
  /// Genuine data stays valid after its signing certificate has expired. The time is part of the
  /// data to verify, so the holder of a leaked key of an expired certificate could choose it. Where
  /// that matters, compare ``Verified/signedDate`` with a maximum age, use ``now``, or check
  /// certificates online.
  case signedDate
  case now
}

extension SignedDataVerifier {
  /// A reason why a verifier cannot be configured.
  @nonexhaustive
  public enum ConfigurationFailure: Error, Hashable, Sendable {
    case noApp
    case emptyBundleID
    case repeatedBundleID(String)
    /// Production is accepted, but this app has no Apple ID to compare with.
    case missingAppAppleID(bundleID: String)
    case noEnvironment
    /// Apple signs no data for this environment.
    case environmentNotSigned(AppStoreEnvironment)
    /// No trust anchor is named, so no chain could end at one.
    case noTrustAnchor
  }

  /// The configuration of a ``SignedDataVerifier``.
  public struct Configuration: Hashable, Sendable {
    public var clockPolicy = ClockPolicy.signedDate
    public var cache = CacheLimits()

    /// Creates the default configuration.
    public init() {}
  }

  /// The limits of a verifier's cache of verified certificates.
  public struct CacheLimits: Hashable, Sendable {
    /// The maximum number of different headers; zero turns the cache off.
    public var entries: Int
    /// The lifetime of an entry.
    public var lifetime: Duration

    /// Creates limits; by default 64 entries for 15 minutes each.
    public init(entries: Int = 64, lifetime: Duration = .seconds(900)) {
      self.entries = entries
      self.lifetime = lifetime
    }
  }

  /// The number of cached headers, for tests of the limit; expired entries count until looked up.
  package var cachedHeaders: Int { cache.count }

  static func check(_ environments: Set<AppStoreEnvironment>) throws(ConfigurationFailure) {
    guard !environments.isEmpty else { throw .noEnvironment }
    for environment in environments where environment != .production && environment != .sandbox {
      throw .environmentNotSigned(environment)
    }
  }

  static func check(_ apps: [App], forProduction: Bool) throws(ConfigurationFailure) {
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
  /// The environments for which Apple signs data: Production and Sandbox.
  ///
  /// App Review buys in the Sandbox with the production build. Whether a Sandbox purchase grants
  /// anything remains the host's decision.
  public static var auto: Set<AppStoreEnvironment> { [.production, .sandbox] }
}
