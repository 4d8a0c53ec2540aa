#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import HTTPMessages
internal import StorekeeperLocks
internal import StorekeeperCrypto

/// A client of Apple's OCSP responders, which tell whether certificates were revoked.
///
/// The check is optional: chains, validity periods and signatures are verified without it. It sends
/// a request for each certificate without a current answer; real answers stay current for hours.
/// Any number of verifiers may share one checker and its cache.
///
/// ```swift
/// let revocation = RevocationChecker(transport: transport)
/// ```
///
/// Only a correctly signed answer, revoked or unknown, is final. Requests and answers travel over
/// plain http, so anyone on the network path can cause every other failure, which is
/// ``SignedDataFailure/onlineCheckFailed(_:)`` and can be retried.
///
/// *Not* checked: expired certificates, the root, and whether the certificate of a delegate that
/// signs answers was itself revoked.
///
/// Source: RFC 6960; `Documentation/rules/app-store-rules.md`.
public final class RevocationChecker: Sendable {
  let transport: any HTTPTransport
  let configuration: Configuration
  let clock: any Clock<Duration>
  let uptime: Stopwatch
  let now: @Sendable () -> Date
  let answers: Locked<AnswerCache>
  let flights = SingleFlight<IssuedCertificate, Result<OCSPAnswer, OnlineCheckFailure>>()

  /// Creates a checker with an empty cache.
  ///
  /// The transport is for requests over plain http, such as `CurlHTTPTransport`. Do not use URLSession's on
  /// Linux, where anyone on the network path can stop the process. `now` is the time of day at which
  /// answers and certificates must be valid.
  public init(
    transport: any HTTPTransport,
    configuration: Configuration = Configuration(),
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    precondition(configuration.cacheLimit > 0, "The cache must hold at least one answer.")
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
