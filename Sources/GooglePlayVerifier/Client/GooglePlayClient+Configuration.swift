#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GooglePlayClient {
  /// The configuration of a ``GooglePlayClient``.
  public struct Configuration: Sendable {
    public var url = "https://androidpublisher.googleapis.com"
    /// Whether an address without TLS is accepted; only for tests.
    public var allowsHTTP = false
    public var timeout = Duration.seconds(30)
    /// The time limit of a call with all its attempts and pauses, unless the call names one; 60
    /// seconds by default, at most a day.
    public var patience = Duration.seconds(60)
    /// The maximum number of requests for one call, besides the one with a second access token; 4 by
    /// default.
    public var attempts = 4
    /// The pause after the first failure, which doubles with each further one, before jitter; half a
    /// second by default.
    public var firstPause = Duration.milliseconds(500)
    public var responseLimit = 1 << 20
    public var userAgent = "storekeeper/1.0"
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Returns the current time, for dates in answers.
    public var now: @Sendable () -> Date = { Date() }
    /// Returns a random number from 0 up to 1, which shortens a pause.
    public var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// Creates the default configuration.
    public init() {}
  }

  /// A reason why a client cannot be configured.
  @nonexhaustive
  public enum ConfigurationFailure: Error, Hashable, Sendable {
    /// The package name does not consist of two or more parts with dots between them.
    case malformedPackageName
    /// The address is not an absolute one with `https`, or has a query or a slash at its end.
    case malformedURL
    case limitNotPositive
    case malformedUserAgent
  }
}

extension GooglePlayClient.Configuration {
  func check() throws(GooglePlayClient.ConfigurationFailure) {
    guard ServiceAddress.isBaseURL(url, allowsHTTP: allowsHTTP) else { throw .malformedURL }
    guard timeout > .zero, patience > .zero, attempts > 0, responseLimit > 0, firstPause >= .zero
    else { throw .limitNotPositive }
    guard userAgent.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw .malformedUserAgent }
  }
}
