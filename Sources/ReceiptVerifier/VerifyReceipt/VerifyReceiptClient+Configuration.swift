public import ReceiptModels

extension VerifyReceiptClient {
  /// What a ``VerifyReceiptClient`` asks for and accepts, and how long it tries.
  ///
  /// ```swift
  /// var configuration = VerifyReceiptClient.Configuration()
  /// configuration.environments = [.production, .sandbox]
  /// ```
  public struct Configuration: Hashable, Sendable {
    /// The environments whose receipts are accepted; by default Production only.
    ///
    /// App Review and TestFlight buy in the Sandbox. A receipt of an environment that is not among
    /// these is verified all the same, and refused by name.
    public var environments: Set<AppStoreEnvironment> = [.production]
    /// The servers that are asked when the first one says that the receipt is theirs.
    public var fallbacks: Set<VerifyReceiptServer> = [.production, .sandbox]
    /// What it means that Apple names no transaction in `latest_receipt_info`.
    public var missingSubscriptions = MissingSubscriptions.refuse
    /// Whether Apple should leave out old transactions; no by default.
    ///
    /// With it, eligibility for introductory offers can no longer be told.
    public var excludesOldTransactions = false
    /// Where the servers are; by default Apple's own addresses.
    public var urls: [VerifyReceiptServer: String] = [:]
    /// How long a verification may take with all its attempts; 30 seconds by default, at most a day.
    ///
    /// Holds for the caller also when the transport does not end by itself.
    public var deadline = Duration.seconds(30)
    /// How often and when a question is repeated.
    public var retries = RetryPolicy()
    /// How many bytes an answer may have; 16 MiB by default.
    public var responseLimit = 16 << 20

    /// The defaults.
    public init() {}
  }

  /// What it means that Apple names no transaction in `latest_receipt_info`.
  public enum MissingSubscriptions: Hashable, Sendable {
    /// The receipt is refused with ``VerifyReceiptRefusal/noSubscriptions``.
    case refuse
    /// The receipt passes, as that of an app that sells no subscriptions.
    case accept
  }

  /// Why a client cannot be configured so.
  @nonexhaustive
  public enum ConfigurationFailure: Error, Hashable, Sendable {
    /// No app is named, or one by an empty bundle id.
    case noBundleID
    /// No environment is accepted.
    case noEnvironment
    /// Apple's servers do not verify receipts of this environment.
    case environmentNotServed(AppStoreEnvironment)
    /// The shared secret is empty; without one, give nil.
    case emptySharedSecret
    /// A server would never be asked; see ``RetryPolicy/attempts``.
    case noAttempts
    /// There would be no time for an answer; see ``Configuration/deadline``.
    case noTime
    /// A pause would be shorter than none; see ``RetryPolicy``.
    case negativePause
    /// An answer would be shorter than nothing; see ``Configuration/responseLimit``.
    case negativeResponseLimit
  }
}

extension VerifyReceiptClient.Configuration {
  /// Checks what would make no sense, or stop the program later.
  func checkNumbers() throws(VerifyReceiptClient.ConfigurationFailure) {
    guard retries.attempts > 0 else { throw .noAttempts }
    guard deadline > .zero else { throw .noTime }
    guard retries.firstPause >= .zero, retries.longestPause >= .zero else { throw .negativePause }
    guard responseLimit >= 0 else { throw .negativeResponseLimit }
  }
}
