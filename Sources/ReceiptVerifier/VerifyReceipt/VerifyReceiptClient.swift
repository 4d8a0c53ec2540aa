public import HTTPMessages
internal import JWSVerifier
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A client of Apple's verifyReceipt, which asks Production first, then the Sandbox if Apple
/// redirects.
///
/// ```swift
/// let client = try VerifyReceiptClient(
///   transport: transport, bundleIDs: ["com.example.reader"], sharedSecret: AppSharedSecret(secret))
/// let receipt = try await client.verify(base64: text)
/// receipt.environment            // of the server that answered, not claimed by the client
/// ```
///
/// Requests are retried after server errors, with growing pauses, until the deadline. These checks
/// must pass, in this order: the status is 0 (or 21006, for an expired subscription of iOS 6), the
/// bundle ID is one of ours, the answer names transactions, and the environment is accepted. *Not*
/// checked: whether the user who sent the receipt owns it, and whether anything is still active.
///
/// Apple has deprecated verifyReceipt since 2023, but it still answers. New hosts should verify app
/// receipts offline, see ``AppReceiptVerifier``, and use the App Store Server API. Source: Apple,
/// verifyReceipt; `Documentation/rules/app-store-rules.md`.
public struct VerifyReceiptClient: Sendable {
  /// The apps whose receipts are accepted, compared byte for byte.
  public let bundleIDs: Set<String>
  public let configuration: Configuration

  let transport: any HTTPTransport
  let sharedSecret: AppSharedSecret?
  let uptime: Stopwatch

  /// Creates a client.
  ///
  /// Without the shared secret of the app, Apple omits subscriptions.
  public init(
    transport: any HTTPTransport,
    bundleIDs: Set<String>,
    sharedSecret: AppSharedSecret? = nil,
    configuration: Configuration = Configuration()
  ) throws(ConfigurationFailure) {
    guard !bundleIDs.isEmpty, !bundleIDs.contains("") else { throw .noBundleID }
    guard !configuration.environments.isEmpty else { throw .noEnvironment }
    let served = VerifyReceiptServer.allCases.map(\.environment)
    for environment in configuration.environments where !served.contains(environment) {
      throw .environmentNotServed(environment)
    }
    guard sharedSecret?.text.isEmpty != true else { throw .emptySharedSecret }
    try configuration.checkNumbers()
    self.transport = transport
    self.bundleIDs = bundleIDs
    self.sharedSecret = sharedSecret
    self.configuration = configuration
    self.uptime = Stopwatch(configuration.clock)
  }

  var clock: any Clock<Duration> { configuration.clock }
  package var now: @Sendable () -> Date { configuration.now }
  var chance: @Sendable () -> Double { configuration.chance }

  /// Verifies a receipt in base64, as apps send it.
  ///
  /// The receipt is an app receipt, or a transaction receipt of iOS 6, in standard base64; line breaks and
  /// surrounding white space are ignored. Ask the Sandbox first only for receipts that are known to belong
  /// there, never because a client says so. A cancelled task throws `CancellationError`, and everything
  /// else is a ``VerifyReceiptFailure``.
  public func verify(
    base64 text: String, startingAt server: VerifyReceiptServer = .production
  ) async throws -> VerifiedReceipt {
    let payload: ReceiptPayload
    do throws(ReceiptFailure) {
      payload = try ReceiptPayload(text: text)
    } catch {
      throw VerifyReceiptFailure.refused(.input(error))
    }
    return try await verify(payload, startingAt: server)
  }

  /// Verifies a receipt in DER, as it lies in the app's bundle.
  public func verify(
    der bytes: [UInt8], startingAt server: VerifyReceiptServer = .production
  ) async throws -> VerifiedReceipt {
    let payload: ReceiptPayload
    do throws(ReceiptFailure) {
      payload = try ReceiptPayload(bytes: bytes)
    } catch {
      throw VerifyReceiptFailure.refused(.input(error))
    }
    return try await verify(payload, startingAt: server)
  }
}

extension VerifyReceiptClient: CustomStringConvertible, CustomReflectable {
  /// The bundle IDs, never the secret.
  public var description: String { "VerifyReceiptClient(\(bundleIDs.sorted()))" }
  /// A mirror with the bundle IDs and the configuration, never the secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["bundleIDs": bundleIDs, "configuration": configuration])
  }
}
