public import HTTPMessages
public import JWSVerifier
internal import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
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
/// A call is retried within its patience if Apple documents that a retry may help, or if the
/// connection failed and the call can't act twice. Redirects are not followed. All failures are
/// ``AppStoreServerFailure``, which tells whether and when to try again.
///
/// Source: Apple, App Store Server API 1.22, Retention Messaging API 1.5, Advanced Commerce API 1.2,
/// External Purchase Server API 1.2.
public struct AppStoreServerClient: Sendable {
  /// The bundle ID of the app.
  public let bundleID: String
  /// The verifier of everything that Apple signed.
  public let verifier: SignedDataVerifier
  /// The addresses and limits.
  public let configuration: Configuration
  /// The limiter of requests.
  public let limiter: RequestLimiter

  let keys: any SigningKeyProvider
  let issuerID: String
  let transport: any HTTPTransport
  let clock: any Clock<Duration>
  let uptime: Stopwatch
  package let now: @Sendable () -> Date
  let chance: @Sendable () -> Double

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - key: An In-App Purchase key of App Store Connect, or a provider of the present one. A key
  ///     serves both environments.
  ///   - issuerID: The issuer ID that App Store Connect shows above the keys, a UUID.
  ///   - bundleID: The bundle ID of the app.
  ///   - verifier: A verifier that accepts the app, and the environments that may be asked.
  ///   - transport: The transport for requests to Apple.
  ///   - configuration: The addresses and limits.
  ///   - limiter: The limiter of requests; by default one that all clients of the process share.
  ///   - clock: The clock that measures patience and pauses.
  ///   - now: The current time, for tokens and for dates in answers.
  ///   - chance: Returns a random number from 0 up to 1, which shortens a pause.
  /// - Throws: ``ConfigurationFailure``.
  public init(
    key: any SigningKeyProvider, issuerID: String, bundleID: String, verifier: SignedDataVerifier,
    transport: any HTTPTransport, configuration: Configuration = Configuration(),
    limiter: RequestLimiter = .shared, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) throws(ConfigurationFailure) {
    guard UUID(uuidString: issuerID) != nil else { throw .issuerNotUUID }
    guard verifier.apps.contains(where: { $0.bundleID.utf8.elementsEqual(bundleID.utf8) }) else {
      throw .appNotInVerifier
    }
    try configuration.check(for: verifier)
    self.keys = key
    self.issuerID = issuerID
    self.bundleID = bundleID
    self.verifier = verifier
    self.transport = transport
    self.configuration = configuration
    self.limiter = limiter
    self.clock = clock
    self.uptime = Stopwatch(clock)
    self.now = now
    self.chance = chance
  }
}

extension AppStoreServerClient: CustomStringConvertible, CustomReflectable {
  /// The bundle ID, never the key.
  public var description: String { "AppStoreServerClient(\(bundleID))" }
  /// A mirror with the bundle ID and the configuration, never the key.
  public var customMirror: Mirror {
    Mirror(self, children: ["bundleID": bundleID, "configuration": configuration])
  }
}
