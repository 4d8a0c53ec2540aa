public import HTTPMessages
internal import JSONValues
public import JWSVerifier
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A client of Apple's server APIs: App Store Server, Retention Messaging, Advanced Commerce and
/// external purchases.
///
/// ```swift
/// let appStore = try AppStoreServerClient(
///   key: SigningKey(pem: pem, keyID: "ABCDEFGHIJ"), issuerID: issuerID,
///   bundleID: "com.example.reader", verifier: verifier, transport: CurlHTTPTransport())
///
/// for try await transaction in appStore.transactionHistory(of: transactionID) {
///   transaction.payload.productID        // Verified<Transaction>
/// }
/// ```
///
/// Each call has the name that Apple gives it, without "get". Everything signed in an answer is
/// verified by the ``verifier`` and returned as ``/JWSVerifier/Verified``; everything else is
/// returned as ``Unsigned``, and proves nothing. A verified purchase proves what an Apple account
/// bought, *not* that the user who sent the identifier owns it.
///
/// With ``Configuration/server`` `.auto`, a call that reads by an identifier asks Production first,
/// then the Sandbox if Production doesn't know the identifier. Calls that write need an environment.
///
/// A call takes the environment of the purchase, nil for the configured server, and its patience: the
/// time limit with all attempts, nil for the configured one. Where it reads by an identifier of a
/// customer, any transaction ID, original transaction ID or app transaction ID will do. The limits
/// that Apple documents for a request are checked before it is sent.
///
/// The `requestReferenceID` of an Advanced Commerce request may be sent again only after a connection
/// that broke, as each call does by itself. If ``AppStoreServerFailure/hasArrived`` is true, an attempt
/// whose answer was lost did its work: read the present state.
///
/// A call is retried within its patience if Apple documents that a retry may help, or if the
/// connection failed and the call can't act twice. Redirects are not followed. All failures are
/// ``AppStoreServerFailure``, which tells whether and when to try again.
///
/// Source: Apple, App Store Server API 1.22, Retention Messaging API 1.5, Advanced Commerce API 1.2,
/// External Purchase Server API 1.2.
public struct AppStoreServerClient: Sendable {
  public let bundleID: String
  public let verifier: SignedDataVerifier
  public let configuration: Configuration

  let keys: any SigningKeyProvider
  let issuerID: String
  let transport: any HTTPTransport
  let uptime: Stopwatch

  /// Creates a client.
  ///
  /// App Store Connect shows the issuer ID, a UUID, above the keys; a key serves both environments. The
  /// verifier has to accept the app, and the environments that may be asked.
  public init(
    key: any SigningKeyProvider, issuerID: String, bundleID: String, verifier: SignedDataVerifier,
    transport: any HTTPTransport, configuration: Configuration = Configuration()
  ) throws(ConfigurationFailure) {
    guard UUID(uuidString: issuerID) != nil else { throw .issuerNotUUID }
    guard verifier.apps.contains(where: { $0.bundleID.isSameText(as: bundleID) }) else {
      throw .appNotInVerifier
    }
    try configuration.check(for: verifier)
    self.keys = key
    self.issuerID = issuerID
    self.bundleID = bundleID
    self.verifier = verifier
    self.transport = transport
    self.configuration = configuration
    self.uptime = Stopwatch(configuration.clock)
  }

  var limiter: RequestLimiter { configuration.limiter }
  var clock: any Clock<Duration> { configuration.clock }
  package var now: @Sendable () -> Date { configuration.now }
  var chance: @Sendable () -> Double { configuration.chance }
}

extension AppStoreServerClient: CustomStringConvertible, CustomReflectable {
  public var description: String { "AppStoreServerClient(\(bundleID))" }
  /// A mirror with the bundle ID and the configuration, never the key.
  public var customMirror: Mirror {
    Mirror(self, children: ["bundleID": bundleID, "configuration": configuration])
  }
}
