public import HTTPMessages
internal import JSONValues
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A client of the Google Play Developer API for the purchases and orders of one app.
///
/// ```swift
/// let account = try GoogleServiceAccount(keyFile: keyFile)
/// let play = try GooglePlayClient(
///   packageName: "com.example.reader",
///   tokens: AccessTokenSource(account: account, transport: transport), transport: transport)
///
/// let purchase = try await play.subscription(token: purchaseToken)
/// switch purchase.standing(at: now) {
/// case .valid(let productID, let expiryTime): …
/// ```
///
/// Google's answers are not signed: they are trusted because the server's certificate was verified. An
/// answer proves what a Google account bought, *not* that the user who sent the token owns it; compare
/// ``SubscriptionPurchaseV2/obfuscatedExternalAccountID`` with the user.
///
/// A call is repeated within its patience when Google failed, when the connection failed, or when
/// Google named a date to wait for. Calls that Google refuses when they come twice, such as refunds, are
/// not repeated where Google may have acted; ``GooglePlayFailure/mayHaveActed`` tells that. After a 401 the
/// access token is replaced once. Redirects are not followed. All failures are ``GooglePlayFailure``.
///
/// Source: Google Play Developer API v3, `purchases`, `orders` and `externaltransactions`.
public struct GooglePlayClient: Sendable {
  public let packageName: String
  public let configuration: Configuration

  let tokens: AccessTokenSource
  let transport: any HTTPTransport
  let uptime: Stopwatch

  /// Creates a client.
  public init(
    packageName: String, tokens: AccessTokenSource, transport: any HTTPTransport,
    configuration: Configuration = Configuration()
  ) throws(ConfigurationFailure) {
    guard Self.isPackageName(packageName) else { throw .malformedPackageName }
    try configuration.check()
    self.packageName = packageName
    self.tokens = tokens
    self.transport = transport
    self.configuration = configuration
    self.uptime = Stopwatch(configuration.clock)
  }

  var clock: any Clock<Duration> { configuration.clock }
  package var now: @Sendable () -> Date { configuration.now }
  var chance: @Sendable () -> Double { configuration.chance }

  /// Returns whether a text has the characters of a package name, and one dot at least.
  private static func isPackageName(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count > 1 && text.utf8.count <= 255
      && parts.allSatisfy { part in
        !part.isEmpty && part.allSatisfy { $0.isLetterOrDigit || $0 == UInt8(ascii: "_") }
      }
  }
}

extension GooglePlayClient: CustomStringConvertible, CustomReflectable {
  /// The package name, never a token.
  public var description: String { "GooglePlayClient(\(packageName))" }
  /// A mirror with the package name and the configuration.
  public var customMirror: Mirror {
    Mirror(self, children: ["packageName": packageName, "configuration": configuration])
  }
}

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
