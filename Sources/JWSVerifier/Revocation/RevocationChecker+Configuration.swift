extension RevocationChecker {
  /// What a ``RevocationChecker`` does when it learns nothing, and how much it may spend.
  public struct Configuration: Hashable, Sendable {
    /// What a failed question means.
    public var mode = Mode.hard
    /// What a certificate without responder means.
    public var missingResponder = MissingResponder.pass
    /// How long all questions of one verification may take together; 10 seconds by default.
    public var timeBudget = Duration.seconds(10)
    /// How many answers are kept, at least one; 64 by default.
    public var cacheLimit = 64

    /// The defaults.
    public init() {}
  }

  /// What it means that a responder could not be asked, or not be understood.
  public enum Mode: Hashable, Sendable {
    /// The data is refused with ``SignedDataFailure/onlineCheckFailed(_:)``, and may be tried again.
    case hard
    /// The data passes, and the result says what was not checked.
    ///
    /// Whoever can cut the way to the responder can then hide a revocation.
    case soft
  }

  /// What it means that a certificate names no responder.
  public enum MissingResponder: Hashable, Sendable {
    /// The data passes, and the result says so.
    case pass
    /// The data is refused with ``OnlineCheckFailure/noResponder``, in either mode.
    case refuse
  }
}
