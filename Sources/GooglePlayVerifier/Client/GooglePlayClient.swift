public import HTTPMessages
internal import JSONValues
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A client of the Google Play Developer API for the purchases of one app.
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
/// Google named a date to wait for; all calls may act twice without harm. After a 401 the access token
/// is replaced once. Redirects are not followed. All failures are ``GooglePlayFailure``.
///
/// Source: Google Play Developer API v3, `purchases`.
public struct GooglePlayClient: Sendable {
  /// The package name of the app.
  public let packageName: String
  /// The address, the limits and the clocks.
  public let configuration: Configuration

  let tokens: AccessTokenSource
  let transport: any HTTPTransport
  let uptime: Stopwatch

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - packageName: The package name of the app.
  ///   - tokens: The source of access tokens.
  ///   - transport: The transport for requests to Google.
  ///   - configuration: The address, the limits and the clocks.
  /// - Throws: ``ConfigurationFailure``.
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
