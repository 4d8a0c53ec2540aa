public import ReceiptModels
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension VerifyReceiptClient {
  /// The configuration of a ``VerifyReceiptClient``.
  ///
  /// ```swift
  /// var configuration = VerifyReceiptClient.Configuration()
  /// configuration.environments = [.production, .sandbox]
  /// ```
  public struct Configuration: Sendable {
    /// The environments whose receipts are accepted; by default only Production.
    ///
    /// App Review and TestFlight buy in the Sandbox. A receipt of any other environment is verified
    /// all the same, and refused with ``VerifyReceiptRefusal/environmentNotAllowed(_:)``.
    public var environments: Set<AppStoreEnvironment> = [.production]
    /// The servers that may be asked next when the first one answers that the receipt belongs to
    /// them.
    public var fallbacks: Set<VerifyReceiptServer> = [.production, .sandbox]
    /// The effect of an answer without transactions in `latest_receipt_info`.
    public var missingSubscriptions = MissingSubscriptions.refuse
    /// Whether Apple leaves out old transactions; false by default.
    ///
    /// If true, eligibility for introductory offers can no longer be determined.
    public var excludesOldTransactions = false
    public var urls: [VerifyReceiptServer: String] = [:]
    /// The time limit for a verification with all its attempts; 30 seconds by default, at most a
    /// day.
    ///
    /// The caller gets an answer by then even if the transport does not end by itself.
    public var deadline = Duration.seconds(30)
    public var retries = RetryPolicy()
    /// The maximum size of an answer in bytes; 16 MiB by default.
    public var responseLimit = 16 << 20
    /// The clock that measures the deadline and the pauses.
    public var clock: any Clock<Duration> = ContinuousClock()
    /// Returns the time of day, for answers without a date.
    public var now: @Sendable () -> Date = { Date() }
    /// Returns a random number from 0 up to 1, which shortens a pause.
    public var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// Creates the default configuration.
    public init() {}
  }

  /// The effect of an answer without transactions in `latest_receipt_info`.
  public enum MissingSubscriptions: Hashable, Sendable {
    /// The receipt is refused with ``VerifyReceiptRefusal/noSubscriptions``.
    case refuse
    /// The receipt is accepted, as for an app that sells no subscriptions.
    case accept
  }

  /// A reason why a client cannot be configured.
  @nonexhaustive
  public enum ConfigurationFailure: Error, Hashable, Sendable {
    /// No app is named, or a bundle ID is empty.
    case noBundleID
    case noEnvironment
    /// Apple's servers do not verify receipts of this environment.
    case environmentNotServed(AppStoreEnvironment)
    /// The shared secret is empty; use nil for none.
    case emptySharedSecret
    /// The number of attempts is zero or negative; see ``RetryPolicy/attempts``.
    case noAttempts
    /// The deadline is zero or negative; see ``Configuration/deadline``.
    case noTime
    /// A pause is negative; see ``RetryPolicy``.
    case negativePause
    /// The limit on answers is negative; see ``Configuration/responseLimit``.
    case negativeResponseLimit
  }
}

/// The secret that an app, or all apps of a developer, share with Apple.
///
/// It is sent to Apple and never printed: neither ``description`` nor the mirror contains it.
/// Source: Apple, "Generate a shared secret to verify receipts".
public struct AppSharedSecret: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package let text: String

  /// Creates a secret from the text in App Store Connect; its form is not checked.
  public init(_ text: String) {
    self.text = text
  }

  public var description: String { "redacted" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension VerifyReceiptClient.Configuration {
  /// Checks the numbers, of which some would trap later.
  func checkNumbers() throws(VerifyReceiptClient.ConfigurationFailure) {
    guard retries.attempts > 0 else { throw .noAttempts }
    guard deadline > .zero else { throw .noTime }
    guard retries.firstPause >= .zero, retries.longestPause >= .zero else { throw .negativePause }
    guard responseLimit >= 0 else { throw .negativeResponseLimit }
  }
}

/// One of Apple's two servers that answer verifyReceipt.
public enum VerifyReceiptServer: Hashable, Sendable, CaseIterable {
  /// The server of the App Store, which is asked first.
  case production
  /// The server of the Sandbox, for receipts that Production redirects there.
  case sandbox

  /// The environment whose receipts the server accepts.
  public var environment: AppStoreEnvironment {
    switch self {
    case .production: .production
    case .sandbox: .sandbox
    }
  }

  public var url: String {
    switch self {
    case .production: "https://buy.itunes.apple.com/verifyReceipt"
    case .sandbox: "https://sandbox.itunes.apple.com/verifyReceipt"
    }
  }

  var other: VerifyReceiptServer {
    switch self {
    case .production: .sandbox
    case .sandbox: .production
    }
  }

  /// The status with which it redirects a receipt of the other server.
  var redirection: VerifyReceiptStatus {
    switch self {
    case .production: .sandboxReceipt
    case .sandbox: .productionReceipt
    }
  }
}

/// The number of attempts at a request, and the pauses between them.
///
/// Each pause is twice as long as the one before, and is shortened at random so that clients that
/// failed together do not return together.
public struct RetryPolicy: Hashable, Sendable {
  /// The maximum number of requests to one server; 3 by default.
  public var attempts = 3
  /// The pause after the first attempt; half a second by default.
  public var firstPause = Duration.milliseconds(500)
  /// The longest pause; 8 seconds by default.
  public var longestPause = Duration.seconds(8)
  /// The fraction by which a pause may be shortened at random, from 0 (never) to 1; 0.5 by default.
  ///
  /// NaN counts as 0.
  public var jitter = 0.5

  /// Creates the default policy.
  public init() {}

  /// Returns the pause after a number of attempts, at least one.
  ///
  /// `chance` is a random number from 0, for the full pause, up to 1.
  public func pause(after attempts: Int, chance: Double) -> Duration {
    let jitter = jitter.isNaN ? 0 : min(max(jitter, 0), 1)
    return BackOff(first: firstPause, longest: longestPause, jitter: (1 - jitter)...1)
      .pause(after: attempts, chance: chance)
  }
}
