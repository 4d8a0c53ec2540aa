public import HTTPMessages
internal import StorekeeperCrypto
internal import StorekeeperLocks

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
/// signs answers was itself revoked. Source: RFC 6960; `Documentation/rules/app-store-rules.md`.
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

  /// The behavior of a ``RevocationChecker`` on inconclusive checks, and its limits.
  public struct Configuration: Hashable, Sendable {
    public var mode = Mode.hard
    public var missingResponder = MissingResponder.pass
    /// The time limit for all requests of one verification together; 10 seconds by default.
    public var timeBudget = Duration.seconds(10)
    /// The maximum number of cached answers, at least one; 64 by default.
    public var cacheLimit = 64

    /// Creates the default configuration.
    public init() {}
  }

  /// The effect of a request that failed or was answered unintelligibly.
  public enum Mode: Hashable, Sendable {
    /// The data is refused with ``SignedDataFailure/onlineCheckFailed(_:)``, which can be retried.
    case hard
    /// The data is accepted, and the result lists the unchecked certificates.
    ///
    /// Anyone who can block the connection to the responder can then hide a revocation.
    case soft
  }

  /// The effect of a certificate that names no responder.
  public enum MissingResponder: Hashable, Sendable {
    /// The data is accepted, and the result lists the certificate as unchecked.
    case pass
    /// The data is refused with ``OnlineCheckFailure/noResponder``, in either mode.
    case refuse
  }
}

/// The revocation status of the certificates behind verified data.
///
/// A revoked certificate has no status: it is the error
/// ``SignedDataFailure/certificateRevoked(_:)``. Source: `Documentation/rules/app-store-rules.md`.
@nonexhaustive
public enum RevocationStatus: Hashable, Sendable {
  case notRequested
  /// The responders report that leaf and intermediate are not revoked.
  ///
  /// The answers may come from the cache, if they are current. The root is never checked.
  case good
  /// Nothing is known against the certificates, but at least one was not checked.
  ///
  /// The array is never empty; the leaf comes before the intermediate.
  case notChecked([UncheckedCertificate])
}

/// A certificate whose revocation status is unknown.
public struct UncheckedCertificate: Hashable, Sendable {
  /// The index in the chain: 0 for the leaf, 1 for the intermediate.
  public let index: Int
  public let reason: Reason

  /// Creates an unchecked certificate.
  public init(index: Int, reason: Reason) {
    self.index = index
    self.reason = reason
  }

  /// A reason why there is no answer about a certificate.
  @nonexhaustive
  public enum Reason: Hashable, Sendable {
    /// The certificate had expired; responders no longer know expired certificates.
    case expired
    /// The certificate names no responder with an http or https address.
    case noResponder
    /// The request failed; only in the soft mode.
    case failed(OnlineCheckFailure)
  }
}
