#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import HTTPMessages
internal import StorekeeperLocks
internal import StorekeeperCrypto

/// Asks Apple's responders whether the certificates behind signed data were revoked (OCSP).
///
/// Optional: chains, times and signatures are verified without it. It costs a question to Apple for
/// each certificate whose last answer no longer holds; real answers hold for hours. Any number of
/// verifiers may share one, and so its answers.
///
/// ```swift
/// let revocation = RevocationChecker(transport: transport)
/// ```
///
/// Only a correctly signed answer is final: revoked or unknown. Whatever else goes wrong could be the
/// work of anybody on the way, since questions and answers travel by plain http; it is
/// ``SignedDataFailure/onlineCheckFailed(_:)`` and worth another try.
///
/// *Not* checked: certificates that have ended, the root, and whether the certificate of a delegate
/// that signs answers was itself revoked.
///
/// Source: RFC 6960; contract on signed data, section 1.5.
public final class RevocationChecker: Sendable {
  let transport: any HTTPTransport
  let configuration: Configuration
  let clock: any Clock<Duration>
  let uptime: Stopwatch
  let now: @Sendable () -> Date
  let answers: Locked<AnswerCache>
  let flights = SingleFlight<IssuedCertificate, Result<OCSPAnswer, OnlineCheckFailure>>()

  /// A checker without answers yet.
  ///
  /// - Parameters:
  ///   - transport: What carries the questions, over plain http, such as `CurlHTTPTransport`; not
  ///     URLSession's on Linux, which anybody on the way can make stop the process.
  ///   - configuration: What a failure means, and how much may be spent.
  ///   - clock: What measures the time budget.
  ///   - now: The time of day, by which answers and certificates are judged.
  public init(
    transport: any HTTPTransport,
    configuration: Configuration = Configuration(),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    precondition(configuration.cacheLimit > 0, "The cache of answers holds at least one.")
    self.transport = transport
    self.configuration = configuration
    self.clock = clock
    self.uptime = Stopwatch(clock)
    self.now = now
    self.answers = Locked(AnswerCache(limit: configuration.cacheLimit))
  }

  /// The time of day in whole seconds since 1970 UTC.
  var second: Int {
    let seconds = now().timeIntervalSince1970.rounded(.down)
    return Int(exactly: seconds) ?? (seconds > 0 ? .max : .min)
  }
}
