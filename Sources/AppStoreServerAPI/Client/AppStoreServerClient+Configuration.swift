public import JWSVerifier
public import ReceiptModels

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AppStoreServerClient {
  /// The server that is asked when a call names no environment.
  public enum Server: Hashable, Sendable, CaseIterable {
    case production
    case sandbox
    /// Production, then the Sandbox if Production doesn't know the identifier, for calls that read
    /// by one; the other calls have to name an environment.
    case auto
  }

  /// The configuration of an ``AppStoreServerClient``.
  public struct Configuration: Sendable {
    /// The server that is asked when a call names no environment.
    public var server = Server.auto
    /// The base addresses, without a slash at the end; by default Apple's.
    public var urls: [AppStoreEnvironment: String] = [:]
    /// Whether addresses without TLS are accepted; only for tests.
    public var allowsHTTP = false
    public var timeout = Duration.seconds(30)
    /// The time limit of a call with all its attempts and pauses, unless the call names one; 60
    /// seconds by default, at most a day.
    public var patience = Duration.seconds(60)
    /// The maximum number of requests for one call; 5 by default.
    public var attempts = 5
    /// The pause after the first failure, which doubles with each further one, before jitter; half a
    /// second by default.
    public var firstPause = Duration.milliseconds(500)
    public var responseLimit = 1 << 20
    public var userAgent = "storekeeper/1.0"
    /// Whether a status 401 of Production leads to the Sandbox, for an app that was never released.
    public var fallsBackForUnreleasedApp = false
    /// Whether the transactions of a page are verified on several cores.
    ///
    /// The answer comes sooner, and the thread is busy as long as that takes.
    public var verifiesInParallel = false
    /// The limiter of requests; by default one that all clients of the process share.
    public var limiter = RequestLimiter.shared
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Returns the current time, for tokens and for dates in answers.
    public var now: @Sendable () -> Date = { Date() }
    /// Returns a random number from 0 up to 1, which shortens a pause.
    public var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// Creates the default configuration.
    public init() {}
  }

  /// A reason why a client cannot be configured.
  @nonexhaustive
  public enum ConfigurationFailure: Error, Hashable, Sendable {
    case issuerNotUUID
    case appNotInVerifier
    /// The verifier accepts no environment that Apple serves, or not the configured one.
    case environmentNotInVerifier
    case environmentNotServed(AppStoreEnvironment)
    /// An address is not an absolute one with `https`, or has a query or a slash at its end.
    case malformedURL(AppStoreEnvironment)
    case limitNotPositive
    case malformedUserAgent
  }
}

extension AppStoreServerClient.Configuration {
  /// Apple's server for an environment, or the configured one.
  func url(of environment: AppStoreEnvironment) -> String {
    if let url = urls[environment] { return url }
    return environment == .production
      ? "https://api.storekit.apple.com" : "https://api.storekit-sandbox.apple.com"
  }

  func check(
    for verifier: SignedDataVerifier
  ) throws(AppStoreServerClient.ConfigurationFailure) {
    let served: Set<AppStoreEnvironment> = [.production, .sandbox]
    for (environment, url) in urls {
      guard served.contains(environment) else { throw .environmentNotServed(environment) }
      let isAddress =
        url.utf8.starts(with: "https://".utf8) && url.utf8.count > 8
        || allowsHTTP && url.utf8.starts(with: "http://".utf8) && url.utf8.count > 7
      let isBare = url.utf8.allSatisfy { byte in
        byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "?") && byte != UInt8(ascii: "#")
      }
      guard isAddress, isBare, !url.hasSuffix("/") else { throw .malformedURL(environment) }
    }
    let accepted = verifier.environments.intersection(served)
    switch server {
    case .production where !accepted.contains(.production): throw .environmentNotInVerifier
    case .sandbox where !accepted.contains(.sandbox): throw .environmentNotInVerifier
    case _ where accepted.isEmpty: throw .environmentNotInVerifier
    default: break
    }
    guard timeout > .zero, patience > .zero, attempts > 0, responseLimit > 0, firstPause >= .zero
    else { throw .limitNotPositive }
    guard userAgent.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw .malformedUserAgent }
  }
}

/// A provider of the In-App Purchase key with which requests to Apple are signed.
///
/// The client asks it at each request, so a new key takes effect without a restart: keep the present
/// key in memory, replace it when it is rotated, and return it here. Source: Apple, "Creating API
/// keys to authorize API requests".
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
