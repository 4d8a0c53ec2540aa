extension RevocationChecker {
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
