public import HTTPMessages
internal import JWSVerifier

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Asks Apple's verifyReceipt about receipts: Production first, then the Sandbox if Apple says so.
///
/// ```swift
/// let client = try VerifyReceiptClient(
///   transport: transport, bundleIDs: ["com.example.reader"], sharedSecret: AppSharedSecret(secret))
/// let receipt = try await client.verify(base64: text)
/// receipt.environment            // of the server that answered, not the client's word
/// ```
///
/// A server in trouble is asked again, with growing pauses, until the deadline. An answer is valid
/// when its status is 0 (or 21006, for an expired subscription of iOS 6), then when its bundle id is
/// one of ours, then when it names transactions, and then when its environment is accepted; what
/// fails first is the reason. *Not* checked: whether the user who sent the receipt owns it, and
/// whether anything is still active.
///
/// Apple calls verifyReceipt deprecated since 2023. It still answers; new hosts verify app receipts
/// offline, see ``AppReceiptVerifier``, and ask the App Store Server API.
///
/// Source: Apple, verifyReceipt; contract on signed data, section 5.
public struct VerifyReceiptClient: Sendable {
  /// The apps whose receipts are accepted, compared byte for byte.
  public let bundleIDs: Set<String>
  /// What it asks for and accepts.
  public let configuration: Configuration

  let transport: any HTTPTransport
  let sharedSecret: AppSharedSecret?
  let clock: any Clock<Duration>
  let uptime: Stopwatch
  let now: @Sendable () -> Date
  let chance: @Sendable () -> Double

  /// Configures a client.
  ///
  /// - Parameters:
  ///   - transport: What carries the questions to Apple.
  ///   - bundleIDs: The apps whose receipts are accepted.
  ///   - sharedSecret: The secret of the app; without it Apple tells nothing of subscriptions.
  ///   - configuration: What to ask for and to accept, and how long to try.
  ///   - clock: What measures the deadline and the pauses.
  ///   - now: The time of day, for answers that do not tell it.
  ///   - chance: A random number from 0 up to 1, which shortens a pause.
  /// - Throws: ``ConfigurationFailure``.
  public init(
    transport: any HTTPTransport,
    bundleIDs: Set<String>,
    sharedSecret: AppSharedSecret? = nil,
    configuration: Configuration = Configuration(),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() },
    chance: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
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
    self.clock = clock
    self.uptime = Stopwatch(clock)
    self.now = now
    self.chance = chance
  }

  /// Verifies a receipt in base64, as apps send it.
  ///
  /// - Parameters:
  ///   - text: An app receipt, or a transaction receipt of iOS 6, in standard base64; line breaks
  ///     and white space around it are left out.
  ///   - server: Which server to ask first. Anything but Production is for receipts that are known
  ///     to be of the Sandbox, never for what a client says.
  /// - Returns: Apple's answer, with where it is from.
  /// - Throws: ``VerifyReceiptFailure``, or `CancellationError` when the task was cancelled.
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
  ///
  /// - Parameters:
  ///   - bytes: The receipt.
  ///   - server: Which server to ask first.
  /// - Returns: Apple's answer, with where it is from.
  /// - Throws: ``VerifyReceiptFailure``, or `CancellationError` when the task was cancelled.
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
  /// The apps, never the secret.
  public var description: String { "VerifyReceiptClient(\(bundleIDs.sorted()))" }
  /// The apps and the configuration, never the secret.
  public var customMirror: Mirror {
    Mirror(self, children: ["bundleIDs": bundleIDs, "configuration": configuration])
  }
}
